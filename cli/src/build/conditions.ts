/** Packages name builds without a DOM by `worker`; most put it before `browser`. */
export const CONDITIONS = ['module', 'worker']
