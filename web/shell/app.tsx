import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Menu } from '../parts/icons'
import { Router, useLocation } from 'wouter-preact'
import { signedOut } from '../api/problem'
import { Loading } from '../parts/states'
import { NotReached, SignedOut } from './gate'
import { keepFocus } from './keep-focus'
import { watchInbox } from './inbox-count'
import { useFragmentLocation, useGuardedBack } from './location'
import { Logo } from './logo'
import { Offline } from './offline'
import { Routes } from './routes'
import { useScroll } from './scroll'
import { loadSession, me, startProblem } from './session'
import { Shortcuts } from './shortcuts'
import { Side } from './side'
import { markTab } from './tab-mark'
import { LeaveDialog } from './unsaved'
import { say } from '../texts/say'

/** A tab, or an entry of a menu of parts: the part follows it, and the page around it is the same. */
const isOnTab = (): boolean => document.activeElement?.closest('.tabs, .part-menu, .part-select') != null

/** Focuses each new page, for screen readers. The first page keeps the focus. */
const usePageFocus = (path: string) => {
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    if (!first.current && !path.startsWith('/chat') && path !== '/' && !isOnTab()) {
      main.current?.focus({ preventScroll: true })
    }
    first.current = false
  }, [path])
  return main
}

const Shell = () => {
  const [path] = useLocation()
  const main = usePageFocus(path)
  useScroll(path)
  useGuardedBack()
  const open = useSignal(false)
  useEffect(() => { open.value = false }, [path])
  useEffect(watchInbox, [])
  useEffect(markTab, [])
  useEffect(keepFocus, [])
  return (
    <div class='shell' onKeyDown={(event) => { if (event.key === 'Escape') open.value = false }}>
      <a class='skip button' href='#main' onClick={(event) => { event.preventDefault(); main.current?.focus() }}>
        {say('shell.skip')}
      </a>
      <header class='bar'>
        <button
          type='button' class='quiet icon' aria-label={say('shell.menu')}
          aria-expanded={open.value} aria-controls='side'
          onClick={() => { open.value = !open.value }}
        ><Menu size={20} aria-hidden='true' />
        </button>
        <span class='brand'><Logo size={22} />Steward</span>
      </header>
      <Side open={open.value} />
      {open.value && <button
        type='button' class='scrim' aria-label={say('shell.closeMenu')}
        onClick={() => { open.value = false }}
      />}
      <main id='main' ref={main} tabIndex={-1}><Offline /><Routes /></main>
      <Shortcuts />
      <LeaveDialog />
    </div>
  )
}

const Start = () => {
  useEffect(() => { void loadSession() }, [])
  if (signedOut.value) return <SignedOut />
  if (startProblem.value) return <NotReached />
  return me.value ? <Shell /> : <Loading />
}

/** Addresses are in the fragment: the API has the paths, and a proxy may add any prefix. */
export const App = () => <Router hook={useFragmentLocation}><Start /></Router>
