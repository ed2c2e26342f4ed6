/** Variables of the stand-in, which the host gives it, and the code of its errors, which the gateway knows. */
export const DEV_COMPONENT = 'dev_component'
export const DEV_PROBLEM = 'dev_problem'
export const DOES_NOT_BUILD = 'does_not_build'
