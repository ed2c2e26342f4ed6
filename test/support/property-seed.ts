/**
 * The seed of the property tests: the same for each run of `npm test`, so that one that passes here passes everywhere. The nightly
 * run draws another each time; `FTL_TEST_SEED` gives one.
 */
import fc from 'fast-check'

const given = process.env['FTL_TEST_SEED']
const isNightly = process.env['FTL_TEST_NIGHTLY'] !== undefined
if (given !== undefined) fc.configureGlobal({ seed: Number(given) })
else if (!isNightly) fc.configureGlobal({ seed: 1 })
