import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Badge, formatState, StateBadge, toneOf } from '../../parts/badge'
import { ContentProgress } from '../../parts/content-progress'
import { Crumbs } from '../../parts/crumbs'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Tabs } from '../../parts/tabs'
import { formatChannel } from '../contents/channels'
import { Actions } from './actions'
import { Comments } from './desk/comments'
import { Repairs } from './desk/repairs'
import { ReviewerLine } from './desk/reviewer'
import { SideBySide } from './desk/side-by-side'
import { TranslationTab } from './desk/translation'
import { Editor } from './editor'
import { Judged } from './judged'
import { Preview } from './preview'
import { Publications } from './publications'
import { Suggestions } from './suggestions'
import { Versions } from './versions'
import { say, sayWith } from '../../texts/say'

type Content = Schemas['Content']
interface Props { id: string, tab?: string }

const tabs = {
  text: 'content.tab.text',
  comments: 'content.tab.comments',
  preview: 'content.tab.preview',
  edit: 'common.edit',
  versions: 'content.tab.versions',
  compare: 'content.tab.compare',
  repairs: 'content.tab.repairs',
  translation: 'content.tab.translation',
  publications: 'content.tab.publications'
} as const
type TabName = keyof typeof tabs
const isTab = (text: string): text is TabName => text in tabs

interface TabProps { tab: TabName, content: Content, onChange: () => void }

const Tab = ({ tab, content, onChange }: TabProps) => {
  switch (tab) {
    case 'text': return (
      <><Suggestions content={content} onChange={onChange} /><Judged content={content} onChange={onChange} /></>
    )
    case 'preview': return <Preview content={content} />
    case 'comments': return <Comments content={content} />
    case 'compare': return <SideBySide key={content.head_version} content={content} />
    case 'repairs': return <Repairs content={content} onChange={onChange} />
    case 'translation': return <TranslationTab content={content} onChange={onChange} />
    case 'edit': return <Editor key={content.revision} content={content} onChange={onChange} />
    case 'versions': return <Versions content={content} onChange={onChange} />
    case 'publications': return <Publications content={content} onChange={onChange} />
  }
}

const Detail = ({ content, tab, onChange }: TabProps) => {
  const here = `/content/${content.id}`
  // The generation that is live now, or was live since the page opened.
  const followed = useSignal<string | undefined>(undefined)
  if (content.generation?.status === 'pending') followed.value = content.generation.id
  return (
    <>
      <PageHead title={content.title} actions={<Actions content={content} onChange={onChange} />}>
        <StateBadge state={content.status} />{' '}
        <Badge tone={toneOf(content.verdict)}>{say('content.score', { score: content.score })}</Badge>{' '}
        {formatChannel(content)} · {content.locale} · v{content.head_version}
        {content.review_state !== content.status &&
          <> · {say('content.newest', { state: formatState(content.review_state) })}</>}
      </PageHead>
      <ReviewerLine content={content} onChange={onChange} />
      {content.source_changed && <Notice tone='warn'>
        {sayWith('content.sourceMoved', {
          link: <Link href={`${here}/translation`}>{say('content.sourceMoved.link')}</Link>
        })}
      </Notice>}
      {followed.value && <ContentProgress key={followed.value} generation={followed.value} onEnd={onChange} />}
      <Tabs
        label={say('content.parts')} current={`${here}/${tab}`}
        tabs={Object.entries(tabs).map(([name, label]) => [say(label), `${here}/${name}`])}
      />
      <Tab tab={tab} content={content} onChange={onChange} />
    </>
  )
}

const read = async (id: string, signal: AbortSignal): Promise<Content> => {
  const answer = await body(api.GET('/content/{content_id}', { params: { path: { content_id: id } }, signal }))
  // The response has the texts only if the request asks for them.
  return answer as Content
}

/** One record: its text with the findings, its versions, its review, and its publications. */
export default function ContentPage ({ id, tab = 'text' }: Props) {
  const content = useResource([id], (signal) => read(id, signal))
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.content'), '/content']]} />
      <Loaded of={content}>
        {(data) => <Detail content={data} tab={isTab(tab) ? tab : 'text'} onChange={content.reload} />}
      </Loaded>
    </div>
  )
}
