import { useSignal } from '@preact/signals'
import { api, body } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { ConfirmDialog } from '../../../parts/confirm-dialog'
import { Notice } from '../../../parts/notice'
import { Loaded } from '../../../parts/states'
import { me, showAnswering } from '../../../shell/session'
import { say } from '../../../texts/say'
import { ByEnvironment } from './by-environment'
import { Connect } from './connect'
import type { Connection } from './fields'

const says = ({ source, model }: Connection): string => {
  const name = model ?? ''
  return source === 'environment' ? say('settings.model.byEnvironment', { name }) : say('settings.model.here', { name })
}

const Now = ({ of }: { of: Connection }) => of.answers === 'model'
  ? <Notice tone='good'>
    <strong>{says(of)}</strong>
    {of.price && <div class='small'>{say('settings.model.prices', {
      input: String(of.price.input), output: String(of.price.output)
    })}
    </div>}
  </Notice>
  : <Notice tone='warn'>{of.answers === 'guided' ? say('settings.model.none') : say('settings.model.nothing')}</Notice>

/** What answers in the chat, and how another model is connected. */
export default function Model () {
  const found = useResource([], (signal) => body(api.GET('/account/workspace/model', { signal })))
  const isLeaving = useSignal(false)
  const isAdmin = me.value?.role === 'admin'
  const disconnect = async () => {
    showAnswering(await body(api.DELETE('/account/workspace/model')))
    found.reload()
  }
  return (
    <Loaded of={found}>{(connection) => <div class='stack'>
      <Now of={connection} />
      {!isAdmin && <p>{say('settings.model.askAdmin')}</p>}
      {isAdmin && connection.source !== 'environment' &&
        <Connect key={connection.stored?.connected_at ?? ''} connection={connection} onChange={found.reload} />}
      {isAdmin && connection.source === 'environment' && <p>{say('settings.model.environmentWins')}</p>}
      {connection.stored && <div>
        <button type='button' class='danger small' onClick={() => { isLeaving.value = true }}>
          {say('settings.model.disconnect')}
        </button>
      </div>}
      {isAdmin && <ByEnvironment />}
      {isLeaving.value && <ConfirmDialog
        title={say('settings.model.disconnect')} verb={say('settings.model.disconnectVerb')} act={disconnect}
        onClose={() => { isLeaving.value = false }}
      >{say('settings.model.disconnect.words')}
      </ConfirmDialog>}
    </div>}
    </Loaded>
  )
}
