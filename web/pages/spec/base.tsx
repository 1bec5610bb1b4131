import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { Notice } from '../../parts/notice'
import { editOf, sendInputs } from './send-inputs'
import type { Spec, Version } from './index'
import { say } from '../../texts/say'

type Op = Schemas['EditOp']

interface Base {
  /** The version that the part was read from, while a newer one says something else in it. */
  newer: Version | undefined
  /** What was typed may from now on replace what the newer version says. */
  take: () => void
  send: (op: Op) => Promise<void>
}

/**
 * An edit of one part. The page reads newer versions while a person types: what they changed in other parts stays, and
 * what they changed in this one is replaced only once the person has said so.
 */
export const useBase = ({ session, onChange }: Spec, version: Version,
  partOf: (document: Schemas['SpecDocument']) => unknown): Base => {
  const began = useSignal(version)
  const isSame = JSON.stringify(partOf(began.value.document)) === JSON.stringify(partOf(version.document))
  const send = async (op: Op) => {
    try {
      await sendInputs(session.session_id, editOf(isSame ? version : began.value, op))
    } finally {
      // Also after a refusal: the page may not have read the newest version yet.
      onChange()
    }
  }
  return { newer: isSame ? undefined : version, take: () => { began.value = version }, send }
}

/** Says that somebody else changed the same part while it was edited. */
export const ChangedMeanwhile = ({ of: { newer, take } }: { of: Base }) => newer
  ? <Notice
      tone='warn' action={<button type='button' class='small' onClick={take}>{say('spec.meanwhile.take')}</button>}
  >{say('spec.meanwhile', { version: String(newer.version) })}
  </Notice>
  : null
