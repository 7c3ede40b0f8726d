"""The names that belong to C: to its library, to its compilers and to programs.

    is_name_of_c("memcpy")     True
    is_name_of_c("scale")      False

A function of the same name would take the place of C's. Linkers choose the function of
a program before that of a library. LLVM knows what `exp` computes, and calls `memcpy`
where a program copies.
"""

import re
from functools import cache
from typing import Final


def is_name_of_c(name: str) -> bool:
    """Whether a global name is C's.

    All names that begin with `_` are reserved by the C standard (7.1.3).
    """
    if name.startswith(_PREFIXES):
        return not name.startswith(_CONSTANTS)
    plain = _VARIANT.sub("", name)
    return not _names().isdisjoint((name, plain))


_PREFIXES: Final = ("_", "\1", "GOMP_", "omp_")
"""Of C, of what LLVM writes as it is, and of OpenMP."""

_CONSTANTS: Final = "__constant_"
"""What bufferization calls the globals that it makes of constants."""

_VARIANT: Final = re.compile(r"(f|l|f(16|32|64|128)x?)$")
"""What a function is called with for other floats, such as `expf`."""


@cache
def _names() -> frozenset[str]:
    return frozenset(_NAMES.split())


# What glibc 2.36 exports as libc and libm, and what LLVM takes for functions of C
# (TargetLibraryInfo.def); without variants for other floats.
_NAMES: Final = """
a64l abort abs accept accept4 access acct acos acosh addmntent addseverity adjtime
adjtimex advance aio_cancel aio_cancel64 aio_error aio_error64 aio_fsync aio_fsync64
aio_init aio_read aio_read64 aio_return aio_return64 aio_suspend aio_suspend64 aio_write
aio_write64 alarm aligned_alloc alphasort alphasort64 arc4random arc4random_buf
arc4random_uniform arch_prctl argp_err_exit_status argp_error argp_failure argp_help
argp_parse argp_program_bug_address argp_program_version argp_program_version_hook
argp_state_help argp_usage argz_add argz_add_sep argz_append argz_count argz_create
argz_create_sep argz_delete argz_extract argz_insert argz_next argz_replace
argz_stringify asctime asctime_r asin asinh asprintf atan atan2 atanh atof atoi atol
authdes_create authdes_getucred authdes_pk_create authnone_create authunix_create
authunix_create_default backtrace backtrace_symbols backtrace_symbols_fd basename bcmp
bcopy bdflush bind bind_textdomain_codeset bindresvport bindtextdomain brk bsd_signal
bsearch btowc bzero c16rtomb c32rtomb c8rtomb cabs cacos cacosh call_once calloc callrpc
canonicalize canonicalize_file_name capget capset carg casin casinh catan catanh
catclose catgets catopen cbc_crypt cbrt ccos ccosh ceil cexp cfgetispeed cfgetospeed
cfmakeraw cfree cfsetispeed cfsetospeed cfsetspeed chdir chflags chmod chown chroot
cimag clearenv clearerr clearerr_unlocked clnt_broadcast clnt_create clnt_pcreateerror
clnt_perrno clnt_perror clnt_spcreateerror clnt_sperrno clnt_sperror clntraw_create
clnttcp_create clntudp_bufcreate clntudp_create clntunix_create clock clock_adjtime
clock_getcpuclockid clock_getres clock_gettime clock_nanosleep clock_settime clog clog10
clone close close_range closedir closefrom closelog cnd_broadcast cnd_destroy cnd_init
cnd_signal cnd_timedwait cnd_wait confstr conj connect copy_file_range copysign cos cosh
cpow cproj creal creat creat64 create_module csin csinh csqrt ctan ctanh ctermid ctime
ctime_r cuserid daddl daemon daylight dcgettext dcngettext ddivl delete_module
des_setparity dfmal dgettext difftime dirfd dirname div dl_iterate_phdr dladdr dladdr1
dlclose dlerror dlinfo dlmopen dlopen dlsym dlvsym dmull dn_comp dn_expand dn_skipname
dngettext dprintf drand48 drand48_r drem dsqrtl dsubl dup dup2 dup3 duplocale dysize
eaccess ecb_crypt ecvt ecvt_r edata endaliasent endfsent endgrent endhostent endmntent
endnetent endnetgrent endprotoent endpwent endrpcent endservent endsgent endspent
endttyent endusershell endutent endutxent environ envz_add envz_entry envz_get
envz_merge envz_remove envz_strip epoll_create epoll_create1 epoll_ctl epoll_pwait
epoll_pwait2 epoll_wait erand48 erand48_r erf erfc err errno error error_at_line
error_message_count error_one_per_line error_print_progname errx etext ether_aton
ether_aton_r ether_hostton ether_line ether_ntoa ether_ntoa_r ether_ntohost euidaccess
eventfd eventfd_read eventfd_write execl execle execlp execv execve execveat execvp
execvpe exit exp exp10 exp2 explicit_bzero expm1 fabs faccessat fadd fallocate
fallocate64 fanotify_init fanotify_mark fattach fchdir fchflags fchmod fchmodat fchown
fchownat fclose fcloseall fcntl fcntl64 fcvt fcvt_r fdatasync fdetach fdim fdiv fdopen
fdopendir feclearexcept fedisableexcept feenableexcept fegetenv fegetexcept
fegetexceptflag fegetmode fegetround feholdexcept feof feof_unlocked feraiseexcept
ferror ferror_unlocked fesetenv fesetexcept fesetexceptflag fesetmode fesetround
fetestexcept fetestexceptflag feupdateenv fexecve fflush fflush_unlocked ffma ffs fgetc
fgetc_unlocked fgetgrent fgetgrent_r fgetpos fgetpos64 fgetpwent fgetpwent_r fgets
fgets_unlocked fgetsgent fgetsgent_r fgetspent fgetspent_r fgetwc fgetwc_unlocked fgetws
fgetws_unlocked fgetxattr fileno fileno_unlocked finite fiprintf flistxattr flock
flockfile floor fls flsl flsll fma fmax fmaximum fmaximum_mag fmaximum_mag_num
fmaximum_num fmaxmag fmemopen fmin fminimum fminimum_mag fminimum_mag_num fminimum_num
fminmag fmod fmtmsg fmul fnmatch fopen fopen64 fopencookie fork forkpty fpathconf
fprintf fputc fputc_unlocked fputs fputs_unlocked fputwc fputwc_unlocked fputws
fputws_unlocked fread fread_unlocked free free_aligned_sized free_sized freeaddrinfo
freeifaddrs freelocale fremovexattr freopen freopen64 frexp fromfp fromfpx fscanf
fsconfig fseek fseeko fseeko64 fsetpos fsetpos64 fsetxattr fsmount fsopen fspick fsqrt
fstat fstat64 fstatat fstatat64 fstatfs fstatfs64 fstatvfs fstatvfs64 fsub fsync ftell
ftello ftello64 ftime ftok ftruncate ftruncate64 ftrylockfile fts64_children fts64_close
fts64_open fts64_read fts64_set fts_children fts_close fts_open fts_read fts_set ftw
ftw64 funlockfile futimens futimes futimesat fwide fwprintf fwrite fwrite_unlocked
fwscanf gai_cancel gai_error gai_strerror gai_suspend gamma gcvt get_avphys_pages
get_current_dir_name get_kernel_syms get_myaddress get_nprocs get_nprocs_conf
get_phys_pages getaddrinfo getaddrinfo_a getaliasbyname getaliasbyname_r getaliasent
getaliasent_r getauxval getc getc_unlocked getchar getchar_unlocked getcontext getcpu
getcwd getdate getdate_err getdate_r getdelim getdents64 getdirentries getdirentries64
getdomainname getdtablesize getegid getentropy getenv geteuid getfsent getfsfile
getfsspec getgid getgrent getgrent_r getgrgid getgrgid_r getgrnam getgrnam_r
getgrouplist getgroups gethostbyaddr gethostbyaddr_r gethostbyname gethostbyname2
gethostbyname2_r gethostbyname_r gethostent gethostent_r gethostid gethostname
getifaddrs getipv4sourcefilter getitimer getline getloadavg getlogin getlogin_r
getmntent getmntent_r getmsg getnameinfo getnetbyaddr getnetbyaddr_r getnetbyname
getnetbyname_r getnetent getnetent_r getnetgrent getnetgrent_r getnetname getopt
getopt_long getopt_long_only getpagesize getpass getpayload getpeername getpgid getpgrp
getpid getpmsg getppid getpriority getprotobyname getprotobyname_r getprotobynumber
getprotobynumber_r getprotoent getprotoent_r getpt getpublickey getpw getpwent
getpwent_r getpwnam getpwnam_r getpwuid getpwuid_r getrandom getresgid getresuid
getrlimit getrlimit64 getrpcbyname getrpcbyname_r getrpcbynumber getrpcbynumber_r
getrpcent getrpcent_r getrpcport getrusage gets getsecretkey getservbyname
getservbyname_r getservbyport getservbyport_r getservent getservent_r getsgent
getsgent_r getsgnam getsgnam_r getsid getsockname getsockopt getsourcefilter getspent
getspent_r getspnam getspnam_r getsubopt gettext gettid gettimeofday getttyent getttynam
getuid getusershell getutent getutent_r getutid getutid_r getutline getutline_r getutmp
getutmpx getutxent getutxid getutxline getw getwc getwc_unlocked getwchar
getwchar_unlocked getwd getxattr glob glob64 glob_pattern_p globfree globfree64 gmtime
gmtime_r gnu_dev_major gnu_dev_makedev gnu_dev_minor gnu_get_libc_release
gnu_get_libc_version grantpt group_member gsignal gtty h_errlist h_nerr hasmntopt
hcreate hcreate_r hdestroy hdestroy_r herror host2netname hsearch hsearch_r hstrerror
htonl htons hypot iconv iconv_close iconv_open if_freenameindex if_indextoname
if_nameindex if_nametoindex ilogb imaxabs imaxdiv in6addr_any in6addr_loopback index
inet6_opt_append inet6_opt_find inet6_opt_finish inet6_opt_get_val inet6_opt_init
inet6_opt_next inet6_opt_set_val inet6_option_alloc inet6_option_append
inet6_option_find inet6_option_init inet6_option_next inet6_option_space inet6_rth_add
inet6_rth_getaddr inet6_rth_init inet6_rth_reverse inet6_rth_segments inet6_rth_space
inet_addr inet_aton inet_lnaof inet_makeaddr inet_netof inet_network inet_nsap_addr
inet_nsap_ntoa inet_ntoa inet_ntop inet_pton init_module initgroups initstate
initstate_r innetgr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch insque
ioctl ioperm iopl iprintf iruserok iruserok_af isalnum isalnum_l isalpha isalpha_l
isascii isastream isatty isblank isblank_l iscntrl iscntrl_l isctype isdigit isdigit_l
isfdtype isgraph isgraph_l isinf islower islower_l isnan isprint isprint_l ispunct
ispunct_l isspace isspace_l isupper isupper_l iswalnum iswalnum_l iswalpha iswalpha_l
iswblank iswblank_l iswcntrl iswcntrl_l iswctype iswctype_l iswdigit iswdigit_l iswgraph
iswgraph_l iswlower iswlower_l iswprint iswprint_l iswpunct iswpunct_l iswspace
iswspace_l iswupper iswupper_l iswxdigit iswxdigit_l isxdigit isxdigit_l j0 j1 jn
jrand48 jrand48_r key_decryptsession key_decryptsession_pk key_encryptsession
key_encryptsession_pk key_gendes key_get_conv key_secretkey_is_set key_setnet
key_setsecret kill killpg klogctl l64a labs lchmod lchown lckpwdf lcong48 lcong48_r
ldexp ldiv lfind lgamma lgamma_r lgammaf128_r lgammaf32_r lgammaf32x_r lgammaf64_r
lgammaf64x_r lgammaf_r lgammal_r lgetxattr link linkat lio_listio lio_listio64 listen
listxattr llabs lldiv llistxattr llogb llrint llround llseek loc1 loc2 localeconv
localtime localtime_r lockf lockf64 locs log log10 log1p log2 logb login login_tty
logout logwtmp longjmp lrand48 lrand48_r lremovexattr lrint lround lsearch lseek lseek64
lsetxattr lstat lstat64 lutimes madvise main makecontext mallinfo mallinfo2 malloc
malloc_info malloc_stats malloc_trim malloc_usable_size mallopt mallwatch matherr mblen
mbrlen mbrtoc16 mbrtoc32 mbrtoc8 mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstowcs mbtowc
mcheck mcheck_check_all mcheck_pedantic mcount memalign memccpy memchr memcmp memcpy
memfd_create memfrob memmem memmove mempcpy memrchr memset memset_explicit
memset_pattern16 memset_pattern4 memset_pattern8 mincore mkdir mkdirat mkdtemp mkfifo
mkfifoat mknod mknodat mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64
mkstemps mkstemps64 mktemp mktime mlock mlock2 mlockall mmap mmap64 modf modify_ldt
moncontrol monstartup mount mount_setattr move_mount mprobe mprotect mq_close mq_getattr
mq_notify mq_open mq_receive mq_send mq_setattr mq_timedreceive mq_timedsend mq_unlink
mrand48 mrand48_r mremap msgctl msgget msgrcv msgsnd msync mtrace mtx_destroy mtx_init
mtx_lock mtx_timedlock mtx_trylock mtx_unlock munlock munlockall munmap muntrace
name_to_handle_at nan nanosleep nearbyint netname2host netname2user newlocale nextafter
nextdown nexttoward nextup nfsservctl nftw nftw64 ngettext nice nl_langinfo
nl_langinfo_l nrand48 nrand48_r ns_name_compress ns_name_ntop ns_name_pack ns_name_pton
ns_name_skip ns_name_uncompress ns_name_unpack ntohl ntohs ntp_adjtime ntp_gettime
ntp_gettimex obstack_alloc_failed_handler obstack_exit_failure obstack_free
obstack_printf obstack_vprintf on_exit open open64 open_by_handle_at open_memstream
open_tree open_wmemstream openat openat64 opendir openlog openpty optarg opterr optind
optopt parse_printf_format passwd2des pathconf pause pclose perror personality
pidfd_getfd pidfd_open pidfd_send_signal pipe pipe2 pivot_root pkey_alloc pkey_free
pkey_get pkey_mprotect pkey_set pmap_getmaps pmap_getport pmap_rmtcall pmap_set
pmap_unset poll popen posix_fadvise posix_fadvise64 posix_fallocate posix_fallocate64
posix_madvise posix_memalign posix_openpt posix_spawn
posix_spawn_file_actions_addchdir_np posix_spawn_file_actions_addclose
posix_spawn_file_actions_addclosefrom_np posix_spawn_file_actions_adddup2
posix_spawn_file_actions_addfchdir_np posix_spawn_file_actions_addopen
posix_spawn_file_actions_addtcsetpgrp_np posix_spawn_file_actions_destroy
posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_getflags
posix_spawnattr_getpgroup posix_spawnattr_getschedparam posix_spawnattr_getschedpolicy
posix_spawnattr_getsigdefault posix_spawnattr_getsigmask posix_spawnattr_init
posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setschedparam
posix_spawnattr_setschedpolicy posix_spawnattr_setsigdefault posix_spawnattr_setsigmask
posix_spawnp pow pow10 ppoll prctl pread pread64 preadv preadv2 preadv64 preadv64v2
printf printf_size printf_size_info prlimit prlimit64 process_madvise process_mrelease
process_vm_readv process_vm_writev profil program_invocation_name
program_invocation_short_name pselect psiginfo psignal pthread_atfork
pthread_attr_destroy pthread_attr_getaffinity_np pthread_attr_getdetachstate
pthread_attr_getguardsize pthread_attr_getinheritsched pthread_attr_getschedparam
pthread_attr_getschedpolicy pthread_attr_getscope pthread_attr_getsigmask_np
pthread_attr_getstack pthread_attr_getstackaddr pthread_attr_getstacksize
pthread_attr_init pthread_attr_setaffinity_np pthread_attr_setdetachstate
pthread_attr_setguardsize pthread_attr_setinheritsched pthread_attr_setschedparam
pthread_attr_setschedpolicy pthread_attr_setscope pthread_attr_setsigmask_np
pthread_attr_setstack pthread_attr_setstackaddr pthread_attr_setstacksize
pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait
pthread_barrierattr_destroy pthread_barrierattr_getpshared pthread_barrierattr_init
pthread_barrierattr_setpshared pthread_cancel pthread_clockjoin_np
pthread_cond_broadcast pthread_cond_clockwait pthread_cond_destroy pthread_cond_init
pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy
pthread_condattr_getclock pthread_condattr_getpshared pthread_condattr_init
pthread_condattr_setclock pthread_condattr_setpshared pthread_create pthread_detach
pthread_equal pthread_exit pthread_getaffinity_np pthread_getattr_default_np
pthread_getattr_np pthread_getconcurrency pthread_getcpuclockid pthread_getname_np
pthread_getschedparam pthread_getspecific pthread_join pthread_key_create
pthread_key_delete pthread_kill pthread_kill_other_threads_np pthread_mutex_clocklock
pthread_mutex_consistent pthread_mutex_consistent_np pthread_mutex_destroy
pthread_mutex_getprioceiling pthread_mutex_init pthread_mutex_lock
pthread_mutex_setprioceiling pthread_mutex_timedlock pthread_mutex_trylock
pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_getkind_np
pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol
pthread_mutexattr_getpshared pthread_mutexattr_getrobust pthread_mutexattr_getrobust_np
pthread_mutexattr_gettype pthread_mutexattr_init pthread_mutexattr_setkind_np
pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol
pthread_mutexattr_setpshared pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np
pthread_mutexattr_settype pthread_once pthread_rwlock_clockrdlock
pthread_rwlock_clockwrlock pthread_rwlock_destroy pthread_rwlock_init
pthread_rwlock_rdlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock
pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock
pthread_rwlock_wrlock pthread_rwlockattr_destroy pthread_rwlockattr_getkind_np
pthread_rwlockattr_getpshared pthread_rwlockattr_init pthread_rwlockattr_setkind_np
pthread_rwlockattr_setpshared pthread_self pthread_setaffinity_np
pthread_setattr_default_np pthread_setcancelstate pthread_setcanceltype
pthread_setconcurrency pthread_setname_np pthread_setschedparam pthread_setschedprio
pthread_setspecific pthread_sigmask pthread_sigqueue pthread_spin_destroy
pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock
pthread_testcancel pthread_timedjoin_np pthread_tryjoin_np pthread_yield ptrace ptsname
ptsname_r putc putc_unlocked putchar putchar_unlocked putenv putgrent putmsg putpmsg
putpwent puts putsgent putspent pututline pututxline putw putwc putwc_unlocked putwchar
putwchar_unlocked pvalloc pwrite pwrite64 pwritev pwritev2 pwritev64 pwritev64v2 qecvt
qecvt_r qfcvt qfcvt_r qgcvt qsort qsort_r query_module quick_exit quotactl raise rand
rand_r random random_r rawmemchr rcmd rcmd_af re_comp re_compile_fastmap
re_compile_pattern re_exec re_match re_match_2 re_max_failures re_search re_search_2
re_set_registers re_set_syntax re_syntax_options read readahead readdir readdir64
readdir64_r readdir_r readlink readlinkat readv realloc reallocarray realpath reboot
recv recvfrom recvmmsg recvmsg regcomp regerror regexec regfree register_printf_function
register_printf_modifier register_printf_specifier register_printf_type registerrpc
remainder remap_file_pages remove removexattr remque remquo rename renameat renameat2
res_dnok res_hnok res_mailok res_mkquery res_nmkquery res_nquery res_nquerydomain
res_nsearch res_nsend res_ownok res_query res_querydomain res_search res_send revoke
rewind rewinddir rexec rexec_af rexecoptions rindex rint rmdir round roundeven
rpc_createerr rpmatch rresvport rresvport_af rtime ruserok ruserok_af ruserpass sbrk
scalb scalbln scalbn scandir scandir64 scandirat scandirat64 scanf
sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getcpu
sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setparam
sched_setscheduler sched_yield secure_getenv seed48 seed48_r seekdir select
sem_clockwait sem_close sem_destroy sem_getvalue sem_init sem_open sem_post
sem_timedwait sem_trywait sem_unlink sem_wait semctl semget semop semtimedop send
sendfile sendfile64 sendmmsg sendmsg sendto setaliasent setbuf setbuffer setcontext
setdomainname setegid setenv seteuid setfsent setfsgid setfsuid setgid setgrent
setgroups sethostent sethostid sethostname setipv4sourcefilter setitimer setjmp
setlinebuf setlocale setlogin setlogmask setmntent setnetent setnetgrent setns
setpayload setpayloadsig setpgid setpgrp setpriority setprotoent setpwent setregid
setresgid setresuid setreuid setrlimit setrlimit64 setrpcent setservent setsgent setsid
setsockopt setsourcefilter setspent setstate setstate_r settimeofday setttyent setuid
setusershell setutent setutxent setvbuf setxattr sgetsgent sgetsgent_r sgetspent
sgetspent_r shm_open shm_unlink shmat shmctl shmdt shmget shutdown sigabbrev_np
sigaction sigaddset sigaltstack sigandset sigblock sigdelset sigdescr_np sigemptyset
sigfillset siggetmask sighold sigignore siginterrupt sigisemptyset sigismember
siglongjmp signal signalfd signgam significand sigorset sigpause sigpending sigprocmask
sigqueue sigrelse sigreturn sigset sigsetmask sigstack sigsuspend sigtimedwait sigvec
sigwait sigwaitinfo sin sincos sinh siprintf sleep snprintf sockatmark socket socketpair
splice sprintf sprofil sqrt srand srand48 srand48_r srandom srandom_r sscanf ssignal
sstk stat stat64 statfs statfs64 statvfs statvfs64 statx stdc_first_leading_one stderr
stdin stdout step stime stpcpy stpncpy strcasecmp strcasecmp_l strcasestr strcat strchr
strchrnul strcmp strcoll strcoll_l strcpy strcspn strdup strerror strerror_l strerror_r
strerrordesc_np strerrorname_np strfmon strfmon_l strfromd strfromf strfromf128
strfromf32 strfromf32x strfromf64 strfromf64x strfroml strfry strftime strftime_l
strlcat strlcpy strlen strncasecmp strncasecmp_l strncat strncmp strncpy strndup strnlen
strpbrk strptime strptime_l strrchr strsep strsignal strspn strstr strtod strtod_l
strtof strtof128 strtof128_l strtof32 strtof32_l strtof32x strtof32x_l strtof64
strtof64_l strtof64x strtof64x_l strtof_l strtoimax strtok strtok_r strtol strtol_l
strtold strtold_l strtoll_l strtoq strtoul strtoul_l strtoull_l strtoumax strtouq
strverscmp strxfrm strxfrm_l stty svc_exit svc_fdset svc_getreq svc_getreq_common
svc_getreq_poll svc_getreqset svc_max_pollfd svc_pollfd svc_register svc_run
svc_sendreply svc_unregister svcauthdes_stats svcerr_auth svcerr_decode svcerr_noproc
svcerr_noprog svcerr_progvers svcerr_systemerr svcerr_weakauth svcfd_create
svcraw_create svctcp_create svcudp_bufcreate svcudp_create svcudp_enablecache
svcunix_create svcunixfd_create swab swapcontext swapoff swapon swprintf swscanf symlink
symlinkat sync sync_file_range syncfs sys_errlist sys_nerr sys_sigabbrev sys_siglist
syscall sysconf sysctl sysinfo syslog system sysv_signal tan tanh tcdrain tcflow tcflush
tcgetattr tcgetpgrp tcgetsid tcsendbreak tcsetattr tcsetpgrp tdelete tdestroy tee
telldir tempnam textdomain tfind tgamma tgkill thrd_create thrd_current thrd_detach
thrd_equal thrd_exit thrd_join thrd_sleep thrd_yield time timegm timelocal timer_create
timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime
timerfd_settime times timespec_get timespec_getres timezone tmpfile tmpfile64 tmpnam
tmpnam_r toascii tolower tolower_l totalorder totalordermag toupper toupper_l towctrans
towctrans_l towlower towlower_l towupper towupper_l tr_break trunc truncate truncate64
tsearch tss_create tss_delete tss_get tss_set ttyname ttyname_r ttyslot twalk twalk_r
tzname tzset ualarm ufromfp ufromfpx ulckpwdf ulimit umask umount umount2 uname ungetc
ungetwc unlink unlinkat unlockpt unsetenv unshare updwtmp updwtmpx uselib uselocale
user2netname usleep ustat utime utimensat utimes utmpname utmpxname valloc vasprintf
vdprintf vec_calloc vec_free vec_malloc vec_realloc verr verrx versionsort versionsort64
vfork vfprintf vfscanf vfwprintf vfwscanf vhangup vlimit vmsplice vprintf vscanf
vsnprintf vsprintf vsscanf vswprintf vswscanf vsyslog vtimes vwarn vwarnx vwprintf
vwscanf wait wait3 wait4 waitid waitpid warn warnx wcpcpy wcpncpy wcrtomb wcscasecmp
wcscasecmp_l wcscat wcschr wcschrnul wcscmp wcscoll wcscoll_l wcscpy wcscspn wcsdup
wcsftime wcsftime_l wcslcat wcslcpy wcslen wcsncasecmp wcsncasecmp_l wcsncat wcsncmp
wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstod_l
wcstof wcstof128 wcstof128_l wcstof32 wcstof32_l wcstof32x wcstof32x_l wcstof64
wcstof64_l wcstof64x wcstof64x_l wcstof_l wcstoimax wcstok wcstol wcstol_l wcstold
wcstold_l wcstoll_l wcstombs wcstoq wcstoul wcstoul_l wcstoull_l wcstoumax wcstouq
wcswcs wcswidth wcsxfrm wcsxfrm_l wctob wctomb wctrans wctrans_l wctype wctype_l wcwidth
wmemchr wmemcmp wmemcpy wmemmove wmempcpy wmemset wordexp wordfree wprintf write writev
wscanf xdecrypt xdr_accepted_reply xdr_array xdr_authdes_cred xdr_authdes_verf
xdr_authunix_parms xdr_bool xdr_bytes xdr_callhdr xdr_callmsg xdr_char xdr_cryptkeyarg
xdr_cryptkeyarg2 xdr_cryptkeyres xdr_des_block xdr_double xdr_enum xdr_float xdr_free
xdr_getcredres xdr_hyper xdr_int xdr_int16_t xdr_int32_t xdr_int64_t xdr_int8_t
xdr_key_netstarg xdr_key_netstres xdr_keybuf xdr_keystatus xdr_long xdr_longlong_t
xdr_netnamestr xdr_netobj xdr_opaque xdr_opaque_auth xdr_pmap xdr_pmaplist xdr_pointer
xdr_quad_t xdr_reference xdr_rejected_reply xdr_replymsg xdr_rmtcall_args xdr_rmtcallres
xdr_short xdr_sizeof xdr_string xdr_u_char xdr_u_hyper xdr_u_int xdr_u_long
xdr_u_longlong_t xdr_u_quad_t xdr_u_short xdr_uint16_t xdr_uint32_t xdr_uint64_t
xdr_uint8_t xdr_union xdr_unixcred xdr_vector xdr_void xdr_wrapstring xdrmem_create
xdrrec_create xdrrec_endofrecord xdrrec_eof xdrrec_skiprecord xdrstdio_create xencrypt
xprt_register xprt_unregister y0 y1 yn
"""
