export { importVersion } from './import-spec.js'
export type { GivenLayout, Home, WrittenBack } from './write-back.js'
