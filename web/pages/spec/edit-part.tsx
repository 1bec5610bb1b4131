import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { problemOf } from '../../api/problem'
import { field, type Cell } from '../../parts/cell'
import { FormDialog } from '../../parts/form-dialog'
import { isSame, useKept } from '../../parts/kept'
import { Notice } from '../../parts/notice'
import { draftKey } from './drafts'
import { KeptNotice } from './kept-notice'
import { changedMeanwhile, sendEdit } from './send-inputs'
import type { Version, Written } from './index'
import { say } from '../../texts/say'

type SpecDocument = Schemas['SpecDocument']

/** What is known of one part of a spec: how a form reads it, how it is written, and how it is shown. */
export interface Part<T> {
  /** An id, or sections.<key>. */
  target: string
  title: string
  /** @returns what the form edits of it; undefined where the document does not have it */
  read: (document: SpecDocument) => T | undefined
  blank: T
  op: (edited: T, document: SpecDocument) => Schemas['EditOp']
  show: (value: T) => ComponentChildren
}

interface MeanwhileProps { newer: Version, onTake: () => void, children: ComponentChildren }

/** Both texts in sight: what somebody else wrote here, and in the form below it what this person has typed. */
const ChangedMeanwhile = ({ newer: { version }, onTake, children }: MeanwhileProps) => <>
  <Notice
    tone='warn' action={<button type='button' class='small' onClick={onTake}>{say('spec.meanwhile.take')}</button>}
  >{say('spec.meanwhile', { version: String(version) })}
  </Notice>
  <section class='entry-fields' aria-label={say('spec.meanwhile.theirs', { version: String(version) })}>
    <div class='stack tight grow'>
      <strong class='small'>{say('spec.meanwhile.theirs', { version: String(version) })}</strong>{children}
    </div>
  </section>
</>

/** @returns the newest version that was read: by the page, or when another edit stood in the way */
const useNewest = (read: Version) => {
  const met = useSignal(read)
  return {
    newest: met.value.version > read.version ? met.value : read,
    meet: (error: unknown) => {
      const version = problemOf(error).body?.version
      // sendEdit throws the version with its problem.
      if (version) met.value = version as Version
      throw error
    }
  }
}

const useEditing = <T,>({ session, version, onChange }: Written, { target, read, blank, op }: Part<T>) => {
  const { newest, meet } = useNewest(version)
  const now = read(newest.document) ?? blank
  const keeping = useKept(draftKey(session.session_id, target), now)
  const { of, forget, reset } = keeping
  const { before, edited } = of.value
  const isChanged = !isSame(before, now)
  // A form that nobody has typed in shows what others write.
  useEffect(() => { if (isChanged && isSame(before, edited)) reset() })
  const save = async () => {
    const change = { of: read, op: (document: SpecDocument) => op(edited, document) }
    // Also after a refusal: the page may not have read the newest version yet.
    await sendEdit(session.session_id, newest, change).catch(meet).finally(onChange)
    forget()
  }
  return {
    edited: field(of, 'edited'),
    newer: isChanged && !isSame(before, edited) ? newest : undefined,
    take: () => { of.value = { before: now, edited } },
    keeping,
    save
  }
}

interface Props<T> extends Written { part: Part<T>, onClose: () => void, children: (of: Cell<T>) => ComponentChildren }

/**
 * Edits one part. What others change in other parts meanwhile stays, what they change in this one is replaced only
 * once the person has said so, and what was typed is kept until it is saved or discarded.
 */
export const EditPart = <T,>({ part, onClose, children, ...written }: Props<T>) => {
  const { edited, newer, take, keeping, save } = useEditing(written, part)
  const theirs = newer && part.read(newer.document)
  return (
    <FormDialog
      title={part.title} verb={say('spec.save')} act={save} ready={!newer} describes={changedMeanwhile}
      onClose={onClose} onDiscard={keeping.forget}
    >
      <KeptNotice of={keeping} />
      {newer && <ChangedMeanwhile newer={newer} onTake={take}>
        {theirs === undefined ? say('spec.meanwhile.gone') : part.show(theirs)}
      </ChangedMeanwhile>}
      {children(edited)}
    </FormDialog>
  )
}
