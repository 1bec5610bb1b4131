import { Dialog } from '../parts/dialog'
import { go, leaving } from './location'
import { say } from '../texts/say'

/** Asks before typed text is lost by leaving the page within the client. */
export const LeaveDialog = () => {
  const { value: to } = leaving
  if (to === undefined) return null
  const stay = () => { leaving.value = undefined }
  return (
    <Dialog title={say('leave.title')} onClose={stay}>
      <p>{say('leave.words')}</p>
      <div class='actions'>
        <button type='button' class='primary' onClick={stay}>{say('leave.stay')}</button>
        <button type='button' class='danger' onClick={() => go(to)}>{say('leave.go')}</button>
      </div>
    </Dialog>
  )
}
