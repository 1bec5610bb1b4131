import { signal } from '@preact/signals'

/** What the open page is called; '' = Steward itself. */
export const pageTitle = signal('')
