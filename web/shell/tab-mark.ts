import { computed, effect } from '@preact/signals'
import plainIcon from '../icon.svg'
import waitingIcon from '../icon-waiting.svg'
import { pageTitle } from '../parts/page-title'
import { waiting } from './inbox-count'

const title = computed(() => {
  const count = waiting.value
  const named = pageTitle.value === '' ? 'Steward' : `${pageTitle.value} · Steward`
  return count === 0 ? named : `(${count}) ${named}`
})

/** Keeps the tab's title, and its icon with a dot while something waits for me: seen from another tab. */
export const markTab = () => effect(() => {
  document.title = title.value
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const icon = waiting.value > 0 ? waitingIcon : plainIcon
  if (link && link.getAttribute('href') !== icon) link.href = icon
})
