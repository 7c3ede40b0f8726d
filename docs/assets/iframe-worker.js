/* Browsers refuse workers to pages that are opened as files, and search is a worker.
 * There a hidden frame does what it would do: it runs the script, and messages go back
 * and forth. Pages from a server keep the workers of the browser. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.document.write("<!doctype html><body></body>");
      inside.document.close();
      inside.postMessage = (data) => this.answer(data);
      inside.importScripts = (...urls) =>
        urls.reduce((done, each) => done.then(() => this.load(each)), Promise.resolve());
      this.inside = inside;
      this.ready = this.load(url);
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.inside.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = reject;
        this.inside.document.body.append(script);
      });
    }

    answer(data) {
      const message = new MessageEvent("message", { data });
      this.dispatchEvent(message);
      this.onmessage?.(message);
    }

    postMessage(data) {
      this.ready.then(() =>
        this.inside.dispatchEvent(new MessageEvent("message", { data }))
      );
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };
}
