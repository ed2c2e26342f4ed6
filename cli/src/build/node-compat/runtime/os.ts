/** `node:os` of a machine that tells nothing about itself. */
export const EOL = '\n'
export const devNull = '/dev/null'
export const constants = { errno: {}, priority: {}, signals: {} }

export const arch = (): string => 'wasm32'
export const availableParallelism = (): number => 1
export const cpus = (): unknown[] => []
export const endianness = (): string => 'LE'
export const freemem = (): number => 0
export const homedir = (): string => '/'
export const hostname = (): string => 'component'
export const networkInterfaces = (): object => ({})
export const platform = (): string => 'wasi'
export const release = (): string => ''
export const tmpdir = (): string => '/tmp'
export const totalmem = (): number => 0
export const type = (): string => 'WASI'
export const uptime = (): number => 0
export const userInfo = (): object => ({
  username: '',
  uid: -1,
  gid: -1,
  shell: null,
  homedir: '/',
})

export default {
  arch,
  availableParallelism,
  constants,
  cpus,
  devNull,
  endianness,
  EOL,
  freemem,
  homedir,
  hostname,
  networkInterfaces,
  platform,
  release,
  tmpdir,
  totalmem,
  type,
  uptime,
  userInfo,
}
