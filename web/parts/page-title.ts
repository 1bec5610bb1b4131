import { useEffect } from 'preact/hooks'
import { signal } from '@preact/signals'

/** What the open page is called; '' = Steward itself. */
export const pageTitle = signal('')

/** Names the tab while the page is open: the next one, which may never load, does not keep the name. */
export const usePageTitle = (title: string): void => useEffect(() => {
  pageTitle.value = title
  return () => { if (pageTitle.peek() === title) pageTitle.value = '' }
}, [title])
