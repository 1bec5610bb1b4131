import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { backEvent, checkConnection, offline } from '../api/connection'
import { Notice } from '../parts/notice'
import { Loading } from '../parts/states'
import { loadTexts } from '../texts/language'
import { say } from '../texts/say'
import type { Part } from '../texts/texts'

type Module<P> = () => Promise<{ default: ComponentType<P> }>

/** Browsers give a style sheet that did not arrive either no sheet, or one whose rules nobody may read. */
const hasArrived = ({ sheet }: HTMLLinkElement): boolean => {
  try {
    return sheet !== null && sheet.cssRules.length >= 0
  } catch {
    return false
  }
}

/** A style sheet that did not arrive is not asked for again with the script that needs it. */
const reloadStyles = (): void => {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (!hasArrived(link)) link.replaceWith(link.cloneNode())
  }
}

const NotLoaded = () => <div class='page'>
  <Notice tone='bad' action={<button type='button' onClick={() => location.reload()}>{say('shell.reload')}</button>}>
    {say('shell.notLoaded')}
  </Notice>
</div>

/** A page whose script, and the texts that it says, load when it is first opened; while Steward is away it waits. */
export const lazy = <P extends object>(load: Module<P>, ...parts: Part[]): ComponentType<P> => {
  let loaded: ComponentType<P> | undefined
  return function Lazy (props: P) {
    const Page = useSignal<{ page: ComponentType<P> | undefined }>({ page: loaded })
    const failed = useSignal(false)
    const read = () => Promise.all([load(), loadTexts(...parts)]).then(([{ default: page }]) => {
      loaded = page
      Page.value = { page }
    }, () => {
      failed.value = true
      checkConnection()
    })
    const onBack = () => {
      if (!failed.peek()) return
      failed.value = false
      reloadStyles()
      void read()
    }
    useEffect(() => {
      if (loaded) return
      void read()
      addEventListener(backEvent, onBack)
      return () => removeEventListener(backEvent, onBack)
    }, [])
    const { page: Shown } = Page.value
    if (Shown) return <Shown {...props} />
    return failed.value && !offline.value ? <NotLoaded /> : <div class='page'><Loading /></div>
  }
}
