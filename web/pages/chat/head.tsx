import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, baseUrl, body, type Schemas } from '../../api/client'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { Download, Users } from '../../parts/icons'
import { formatMoney } from '../../parts/money'
import { usePageTitle } from '../../parts/page-title'
import type { Conversation } from './conversation'
import { Answering, isGuided, isSilent } from './guide'
import { FirstModelChoice, ModelChoice } from './model-choice'
import { say, sayWith } from '../../texts/say'

type Detail = Schemas['ChatSessionDetail']
interface ShareProps { detail: Detail, onClose: () => void, onChange: () => Promise<void> }

const ShareDialog = ({ detail, onClose, onChange }: ShareProps) => {
  const act = async () => {
    const params = { path: { session_id: detail.id } }
    await body(api.PATCH('/api/v1/agent/sessions/{session_id}', { params, body: { shared: !detail.shared } }))
    await onChange()
  }
  if (detail.shared) {
    return (
      <ConfirmDialog title={say('chat.unshare.title')} verb={say('chat.unshare')} act={act} onClose={onClose}>
        {sayWith('chat.unshare.words', { link: <Link href={`/shared/${detail.id}`}>{say('chat.unshare.link')}</Link> })}
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog title={say('chat.share.title')} verb={say('chat.share')} act={act} onClose={onClose}>
      {say('chat.share.words')}
    </ConfirmDialog>
  )
}

const Actions = ({ detail, onChange }: Omit<ShareProps, 'onClose'>) => {
  const open = useSignal(false)
  const file = `${baseUrl}/api/v1/agent/sessions/${detail.id}/export`
  return (
    <>
      <button type='button' class='quiet small' aria-pressed={detail.shared} onClick={() => { open.value = true }}>
        <Users size={14} aria-hidden='true' />{detail.shared ? say('chat.shared') : say('chat.share')}
      </button>
      <a class='button quiet small' href={`${file}?format=markdown`} download>
        <Download size={14} aria-hidden='true' />{say('chat.export')}
      </a>
      <a class='button quiet small' href={`${file}?format=json`} download>JSON</a>
      {open.value && <ShareDialog detail={detail} onChange={onChange} onClose={() => { open.value = false }} />}
    </>
  )
}

export const Head = ({ conversation }: { conversation: Conversation }) => {
  const { value: detail } = conversation.detail
  usePageTitle(detail?.title ?? '')
  const hasModel = !isGuided() && !isSilent()
  if (!detail) {
    const isNew = conversation.id === undefined && !conversation.live.value
    return (
      <header class='thread-head'>
        <h1>{say('chat.new')}</h1>
        {isNew && <span class='row tight nowrap'>
          {hasModel ? <FirstModelChoice conversation={conversation} /> : <Answering />}
        </span>}
      </header>
    )
  }
  return (
    <header class='thread-head'>
      <h1 class='clip'>{detail.title ?? say('chat.new')}</h1>
      <span class='row tight nowrap'>
        <Actions detail={detail} onChange={() => conversation.reloadDetail()} />
        {hasModel ? <ModelChoice detail={detail} onChange={() => conversation.reloadDetail()} /> : <Answering />}
        {hasModel && detail.spent &&
          <span class='small muted'>{say('chat.spent', { amount: formatMoney(detail.spent) })}</span>}
      </span>
    </header>
  )
}
