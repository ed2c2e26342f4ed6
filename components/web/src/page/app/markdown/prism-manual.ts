/** Before Prism: it must not look for code in the page. */
Object.assign(globalThis, { Prism: { manual: true, disableWorkerMessageHandler: true } })
