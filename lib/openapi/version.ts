/** This release; the document and archives name it. */
export const stewardVersion = '0.1.0'
