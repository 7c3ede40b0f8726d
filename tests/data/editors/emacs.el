;; What a person does in Emacs, with the settings of docs/editors.md.
;;
;;   emacs --batch -Q --load emacs.el -- settings.el program.mlir
;;
;; Prints a line for each answer of the server. LLVM has `mlir-mode', Debian has not.

(let ((elpa "/usr/share/emacs/site-lisp/elpa"))
  (when (file-directory-p elpa)
    (dolist (folder (directory-files elpa t "^[a-z]"))
      (add-to-list 'load-path folder))))
(require 'eglot)
(require 'flymake)
(define-derived-mode mlir-mode prog-mode "mlir")
(add-to-list 'auto-mode-alist '("\\.mlir\\'" . mlir-mode))
(setq eglot-sync-connect 60 eglot-connect-timeout 60
      eglot-confirm-server-initiated-edits nil)
(pop command-line-args-left)
(load (pop command-line-args-left) nil t)

(defun wait-for (answer)
  "Call ANSWER until it is not nil."
  (let ((end (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall answer))) (< (float-time) end))
      (accept-process-output nil 0.1))
    found))

(defun write-instead (old new)
  "Replace OLD by NEW, as by typing."
  (goto-char (point-min))
  (search-forward old)
  (replace-match new t t)
  ;; Nobody is idle in a script: say now what changed.
  (eglot--signal-textDocument/didChange))

(defun errors ()
  "What is underlined."
  (flymake-start)
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(find-file (pop command-line-args-left))
(apply #'eglot (eglot--guess-contact))
(flymake-mode 1)

(write-instead "tensor.insert" "tensor.insret")
(princ (format "error: %s\n" (wait-for #'errors)))
(write-instead "tensor.insret" "tensor.insert")
(princ (format "no error: %s\n" (wait-for (lambda () (null (errors))))))

(goto-char (point-min))
(search-forward "into %a")
(backward-char 1)
(princ
 (format "hover: %s\n"
         (wait-for
          (lambda ()
            (let* ((place (eglot--TextDocumentPositionParams))
                   (server (eglot-current-server))
                   (hover (jsonrpc-request server :textDocument/hover place))
                   (text (format "%s" hover)))
              (and (string-match "\\*\\*.*?\\*\\*" text) (match-string 0 text)))))))

(let ((actions (eglot-code-actions (line-beginning-position) (line-end-position))))
  (eglot--apply-workspace-edit (plist-get (elt actions 0) :edit)))
(eglot--signal-textDocument/didChange)
(goto-char (point-min))
(search-forward "%b")
(backward-char 1)
(eglot-rename "%new")
(princ (buffer-string))
(set-buffer-modified-p nil)
