import { formOf, listStored } from '../../parts/kept'

const prefixOf = (session: string): string => `steward-spec-${session}-`

/** Where what was typed of a part is kept in this browser. */
export const draftKey = (session: string, target: string): string => prefixOf(session) + target

/** @returns the parts of which something is kept */
export const listDrafts = (session: string): string[] =>
  [...new Set(listStored(prefixOf(session)).map(formOf))]

/** The same for a form that is found again without being offered, such as the answer to a question. */
export const formKey = (session: string, form: string): string => `steward-spec-form-${session}-${form}`
