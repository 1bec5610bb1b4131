/** Calls it whenever the page is seen again: it has not polled meanwhile. @returns a function that ends this */
export const onSeenAgain = (poll: () => void): (() => void) => {
  const onChange = () => { if (document.visibilityState === 'visible') poll() }
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
