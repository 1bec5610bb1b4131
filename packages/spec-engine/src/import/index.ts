export { importVersion } from './import-spec.js'
