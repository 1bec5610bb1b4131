import { useSignal } from '@preact/signals'
import { Plus } from '../../parts/icons'
import { Notice } from '../../parts/notice'
import { WithAnswers } from './answers'
import { Decide } from './decide'
import { Editor } from './editor'
import { KeptParts } from './kept-parts'
import { Lists } from './lists'
import { NotRead, NotTaken } from './not-taken'
import { Questions } from './questions'
import { RequirementCard } from './requirement-card'
import { Sections } from './sections'
import { WithSource } from './source'
import { Stories } from './stories'
import { Suggestions } from './suggestions'
import { Tasks } from './tasks'
import type { Spec, Version } from './index'
import './spec.css'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

/** A spec as a version has it. A person can edit and lock each part. */
export const Requirements = (spec: Spec & { version: Version }) => {
  const editing = useSignal<string | undefined>(undefined)
  const edit = (target: string) => { editing.value = target }
  const { session, version } = spec
  const { document } = version
  const written = { ...spec, edit }
  return (
    <WithAnswers session={session}>
      <WithSource session={session.session_id} version={version}>
        {document.engine.notice && <Notice>{translate('specs', document.engine.notice)}</Notice>}
        {editing.value === undefined && <KeptParts {...written} />}
        <NotRead of={version.checks} />
        <Questions {...written} />
        <Decide key={`${version.inputs_seq}`} {...written} />
        <Suggestions {...written} />
        <Sections {...written} />
        <Stories {...written} />
        <div class='row spread'><h2>{say('spec.requirements.of', { version: String(version.version) })}</h2>
          <button type='button' class='small' onClick={() => { edit('requirements') }}>
            <Plus size={14} aria-hidden='true' />{say('spec.requirement.add')}
          </button>
        </div>
        {document.requirements.map((requirement) =>
          <RequirementCard key={requirement.id} {...written} requirement={requirement} />)}
        <Tasks {...written} />
        <Lists {...written} />
        <NotTaken
          key={version.version} session={session.session_id} version={version.version} of={document.not_taken ?? []}
          more={document.not_taken_more}
        />
        {editing.value && <Editor
          key={editing.value} {...written} target={editing.value} onClose={() => { editing.value = undefined }}
        />}
      </WithSource>
    </WithAnswers>
  )
}
