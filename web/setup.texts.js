/** German for the pages of signing in, by the English that the pages are written in: they load nothing of the client. */
const german = {
  'One moment …': 'Einen Moment …',
  'Steward: sign in': 'Steward: Anmelden',
  'Ways to sign in': 'Wege, sich anzumelden',
  'This link signs you in here, once.': 'Dieser Link meldet dich hier an, einmal.',
  'Sign in': 'Anmelden',
  'Sign in with': 'Anmelden mit',
  'Sign in with {name}': 'Anmelden mit {name}',
  'Sign in with the code host': 'Beim Code-Host anmelden',
  'Sign in in another way': 'Anders anmelden',
  'The sandbox emulates the code host: its users have no passwords.':
    'Die Sandbox spielt den Code-Host nach: Dessen Konten haben keine Passwörter.',
  'Open your one-time link, or ask an admin for one.': 'Öffne deinen Einmal-Link, oder bitte einen Admin um einen.',
  'Signed in as': 'Angemeldet als',
  in: 'in',
  viewer: 'Betrachter',
  operator: 'Operator',
  member: 'Mitglied',
  approver: 'Freigeber',
  admin: 'Admin',
  'Connected as {login} at {host}.': 'Verbunden als {login} bei {host}.',
  'Connect your account': 'Dein Konto verbinden',
  Disconnect: 'Trennen',
  'Sign out': 'Abmelden',
  'API tokens': 'API-Tokens',
  'Disconnected here. The code host did not confirm it: revoke the access at {url}':
    'Hier getrennt. Der Code-Host hat es nicht bestätigt: Widerrufe den Zugang unter {url}',
  'Open Steward': 'Steward öffnen',
  'For programs: an API token': 'Für Programme: ein API-Token',
  'For curl and scripts. It may do all that you may do, for 30 days. The browser needs none.':
    'Für curl und Skripte. Es darf 30 Tage lang alles, was du darfst. Der Browser braucht keines.',
  'Create an API token': 'API-Token erstellen',
  'Copy it now: it is not shown again.': 'Kopiere es jetzt: Es wird nicht wieder gezeigt.',
  'Ask the assistant:': 'Frag den Assistenten:',
  'All operations': 'Alle Operationen',
  'This page needs JavaScript.': 'Diese Seite braucht JavaScript.',
  'This link was used already, or a newer link has replaced it.':
    'Dieser Link wurde schon benutzt, oder ein neuerer hat ihn ersetzt.',
  'This link has expired.': 'Dieser Link ist abgelaufen.',
  'You are not signed in, or this link is not known.': 'Du bist nicht angemeldet, oder dieser Link ist nicht bekannt.',
  'For a new link, start Steward again, or run "node dist/server.js setup-link" while it is stopped.':
    'Für einen neuen Link starte Steward neu, oder führe "node dist/server.js setup-link" aus, während es steht.',
  'An admin can also make one for you.': 'Auch ein Admin kann dir einen erstellen.'
}

const language = () => {
  const chosen = localStorage.getItem('steward-language')
  const known = navigator.languages.map((tag) => tag.split('-')[0]).find((tag) => tag === 'de' || tag === 'en')
  return chosen === 'de' || chosen === 'en' ? chosen : known
}
const isGerman = language() === 'de'

/** @returns the text in the reader's language, with its values */
export const say = (text, values = {}) =>
  ((isGerman ? german[text] : undefined) ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name])

/** Says what stands in the page: a text keeps the white space around it. */
export const sayPage = () => {
  document.documentElement.lang = isGerman ? 'de' : 'en'
  document.title = say(document.title)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { data } = walker.currentNode
    const text = data.trim()
    if (Object.hasOwn(german, text)) walker.currentNode.data = data.replace(text, say(text))
  }
  for (const part of document.querySelectorAll('[aria-label]')) part.ariaLabel = say(part.ariaLabel)
}
