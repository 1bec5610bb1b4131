/** What others than the area codehost know of pushes. */
export { isOutdated } from '../../db/codehost/receipts.js'
