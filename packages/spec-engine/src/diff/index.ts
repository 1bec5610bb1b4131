export type { Compared } from './compare-documents.js'
