/**
 * The processes of the test runner keep compiled modules for each other (`NODE_COMPILE_CACHE`, in `vitest.config.ts`): most of what a
 * file of tests imports was imported by another one before. What the tests start is not to know: `ftl` has a cache of its own.
 */
delete process.env['NODE_COMPILE_CACHE']
