/* Shows what was pushed to this browser, and opens its page. It caches nothing and sees no other request. */

/** The language that was chosen on the pages is not known here: the browser's stands in for it. */
const unread = self.navigator.language.startsWith('de') ? 'Steward hat etwas für dich' : 'Steward has something for you'

const isOurs = (url) => url.startsWith(self.registration.scope)

/** A browser that shows nothing for a push loses the right to be pushed to. */
const read = (data) => {
  try {
    return data.json()
  } catch {
    return { title: unread, body: '', url: self.registration.scope, tag: 'unread' }
  }
}

const show = ({ title, body, url, tag }) =>
  self.registration.showNotification(String(title), { body: String(body), tag: String(tag), data: { url: String(url) } })

/** In a window that is open already, else in a new one; and no other site. */
const open = async (url) => {
  if (!isOurs(url)) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const found = windows.find((one) => one.url === url)
  await (found ? found.focus() : self.clients.openWindow(url))
}

/** What was pushed has changed what open pages show: they read it again now, and not at their next poll. */
const pages = new BroadcastChannel('steward-sessions')

self.addEventListener('push', (event) => {
  pages.postMessage('')
  event.waitUntil(show(read(event.data)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.url))
})
