import { useEffect } from 'preact/hooks'
import { CircleHelp, Keyboard, LogOut, Monitor, Moon, Sun } from '../parts/icons'
import { Link, useLocation } from 'wouter-preact'
import { Badge, formatState } from '../parts/badge'
import { waiting } from './inbox-count'
import { Logo } from './logo'
import { helpPages, isWithin, navigation, type NavigationEntry } from './pages'
import { me, sandboxed, signOut } from './session'
import { opened } from './shortcuts'
import { theme, themes } from './theme'
import { checkWriting, isWritingPage, writing } from './writing'
import { locale } from '../texts/language'
import { say, type Key } from '../texts/say'

const themeIcons = { system: Monitor, light: Sun, dark: Moon }

const themeNames = { system: 'theme.system', light: 'theme.light', dark: 'theme.dark' } as const

const ThemeButton = () => {
  const { value } = theme
  const Icon = themeIcons[value]
  const next = themes[(themes.indexOf(value) + 1) % themes.length] ?? 'system'
  const now = say(themeNames[value])
  return (
    <button
      type='button' class='quiet icon' title={say('theme.title', { now })}
      aria-label={say('theme.button', { now, next: say(themeNames[next]) })}
      onClick={() => { theme.value = next }}
    ><Icon size={17} aria-hidden='true' />
    </button>
  )
}

const Entry = ({ entry, path }: { entry: NavigationEntry, path: string }) => {
  const { href, label, icon: Icon } = entry
  const count = href === '/inbox' ? waiting.value : 0
  return (
    <Link href={href} aria-current={isWithin(entry, path) ? 'page' : undefined}>
      <Icon size={17} aria-hidden='true' />{say(label)}
      {count > 0 && <Badge tone='warn'>{count}<span class='unseen'>{say('nav.waiting')}</span></Badge>}
    </Link>
  )
}

const Person = () => {
  const { value } = me
  if (!value) return null
  return (
    <div class='row fixed tight'>
      <div class='person grow'>
        <span class='initial' aria-hidden='true'>{value.user.name.slice(0, 1).toUpperCase()}</span>
        <span class='grow'><span class='clip'>{value.user.name}</span>
          <span class='small muted clip'>{formatState(value.user.role)} · {value.workspace.name}</span>
        </span>
      </div>
      <ThemeButton />
      <button
        type='button' class='quiet icon' aria-label={say('shell.signOut')} title={say('shell.signOut')}
        onClick={() => { void signOut() }}
      >
        <LogOut size={17} aria-hidden='true' />
      </button>
    </div>
  )
}

const names: Record<string, Key> = {
  anthropic: 'shell.sandbox.anthropic', aws: 'shell.sandbox.aws', codehost: 'shell.sandbox.codehost'
}

const nameOf = (name: string): string => names[name] ? say(names[name]) : name

const Search = () => <button
  type='button' class='quiet grow' aria-keyshortcuts='Control+K Meta+K' onClick={() => { opened.value = 'palette' }}
>{say('shell.goTo')}
</button>

/** The guide, the API and the keys, behind one door. */
const Help = () => <details class='help'>
  <summary><CircleHelp size={17} aria-hidden='true' />{say('nav.help')}</summary>
  <nav aria-label={say('nav.help')}>
    {helpPages.map(({ href, label, icon: Icon }) => <a key={href} href={href}>
      <Icon size={17} aria-hidden='true' />{say(label)}
    </a>)}
    <button type='button' class='quiet' onClick={() => { opened.value = 'keys' }}>
      <Keyboard size={17} aria-hidden='true' />{say('keys.title')}
    </button>
  </nav>
</details>

const inWords = (names: string[]): string => new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names)

/** Every page names the sandboxed providers. */
const Sandboxed = () => sandboxed.value.length === 0
  ? null
  : <p class='notice warn small'>
    {say('shell.sandbox', { names: inWords(sandboxed.value.map(nameOf)) })}
  </p>

export const Side = ({ open }: { open: boolean }) => {
  const [path] = useLocation()
  const isWriting = isWritingPage(path)
  useEffect(() => { void checkWriting() }, [isWriting])
  const groups = navigation.filter(({ onceUsed }) => !onceUsed || isWriting || writing.value)
  return (
    <aside class={open ? 'side open' : 'side'} id='side'>
      <Link href='/' class='brand'><Logo size={26} />Steward</Link>
      <nav aria-label={say('nav.main')}>
        {groups.map(({ title, entries }) => <div key={title ?? ''}>
          {title && <h2>{say(title)}</h2>}
          {entries.map((entry) => <Entry key={entry.href} entry={entry} path={path} />)}
        </div>)}
      </nav>
      <footer>
        <Help />
        <Search />
        <Sandboxed /><Person />
      </footer>
    </aside>
  )
}
