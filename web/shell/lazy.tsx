import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Notice } from '../parts/notice'
import { Loading } from '../parts/states'

type Module<P> = () => Promise<{ default: ComponentType<P> }>

/** A page whose script loads when it is first opened. */
export const lazy = <P extends object>(load: Module<P>): ComponentType<P> => {
  let loaded: ComponentType<P> | undefined
  return function Lazy (props: P) {
    const Page = useSignal<{ page: ComponentType<P> | undefined }>({ page: loaded })
    const failed = useSignal(false)
    useEffect(() => {
      if (loaded) return
      load().then(({ default: page }) => {
        loaded = page
        Page.value = { page }
      }, () => { failed.value = true })
    }, [])
    const { page: Shown } = Page.value
    if (Shown) return <Shown {...props} />
    if (!failed.value) return <div class='page'><Loading /></div>
    return (
      <div class='page'>
        <Notice tone='bad' action={<button type='button' onClick={() => location.reload()}>Reload</button>}>
          This page did not load. Steward may have been updated or stopped.
        </Notice>
      </div>
    )
  }
}
