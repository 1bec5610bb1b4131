import { useLayoutEffect } from 'preact/hooks'
import { Compass } from '../parts/icons'
import { Link, Route, Switch } from 'wouter-preact'
import { usePageTitle } from '../parts/page-title'
import { Empty } from '../parts/states'
import { readQuery, replaceAddress } from './location'
import { follow, moved } from './moved'
import { pages } from './pages'
import { sandboxed } from './session'
import { say } from '../texts/say'

const NoSuchPage = () => {
  usePageTitle(say('shell.noPage'))
  return (
<div class='page'>
    <Empty icon={Compass} title={say('shell.noPage')}><p><Link href='/'>{say('shell.toChat')}</Link></p></Empty>
</div>
  )
}

/** Leads on from an old address, which Back then leaves out. */
const Moved = ({ from }: { from: string }) => {
  useLayoutEffect(() => { replaceAddress(follow(from, readQuery())) }, [from])
  return null
}

export const Routes = () => <Switch>
  <Route path='/chat/:id'>{({ id }) => <pages.chat id={id} />}</Route>
  <Route path='/home'><pages.home /></Route>
  <Route path='/'><pages.chat /></Route>
  <Route path='/chat'><pages.chat /></Route>
  <Route path='/shared/:id?'>{({ id }) => <pages.shared {...(id !== undefined && { id })} />}</Route>
  <Route path='/inbox'><pages.inbox /></Route>
  <Route path='/inbox/:id'>{({ id }) => <pages.question key={id} id={id} />}</Route>
  <Route path='/inbox/:id/plan'>{({ id }) => <pages.plan key={id} id={id} />}</Route>
  <Route path='/triggers'><pages.triggers /></Route>
  <Route path='/triggers/:id'>{({ id }) => <pages.trigger id={id} />}</Route>
  <Route path='/reports'><pages.reports /></Route>
  <Route path='/reports/:id'>{({ id }) => <pages.report id={id} />}</Route>
  <Route path='/accounts'><pages.accounts /></Route>
  <Route path='/costs'><pages.costs /></Route>
  <Route path='/services'><pages.services /></Route>
  <Route path='/logs'><pages.logs /></Route>
  <Route path='/services/:id/:tab?'>{({ id, tab }) => <pages.service id={decodeURIComponent(id)} tab={tab} />}</Route>
  <Route path='/functions/:id'>{({ id }) => <pages.function id={decodeURIComponent(id)} />}</Route>
  <Route path='/apps'><pages.apps /></Route>
  <Route path='/apps/:id'>{({ id }) => <pages.app id={id} />}</Route>
  <Route path='/apps/:app/builds/:id'>{({ app, id }) => <pages.build app={app} id={id} />}</Route>
  <Route path='/repositories'><pages.repositories /></Route>
  <Route path='/repositories/:id/:tab?'>{({ id, tab }) => <pages.repository id={id} tab={tab} />}</Route>
  <Route path='/specs'><pages.specs /></Route>
  <Route path='/specs/:id/inputs/:part/:at?'>
    {({ id, part, at }) => <pages.spec id={id} tab='inputs' part={part} at={at} />}
  </Route>
  <Route path='/specs/:id/:tab?'>{({ id, tab }) => <pages.spec id={id} tab={tab} />}</Route>
  <Route path='/standards'><pages.standards /></Route>
  <Route path='/standards/:id'>{({ id }) => <pages.standard id={id} />}</Route>
  <Route path='/content'><pages.contents /></Route>
  <Route path='/content/desk'><pages.contentDesk /></Route>
  <Route path='/content/calendar'><pages.contentCalendar /></Route>
  <Route path='/content/:id/:tab?'>{({ id, tab }) => <pages.content id={id} tab={tab} />}</Route>
  <Route path='/briefs'><pages.briefs /></Route>
  <Route path='/briefs/:id'>{({ id }) => <pages.brief id={id} />}</Route>
  <Route path='/projects'><pages.projects /></Route>
  <Route path='/projects/:id/:tab?'>{({ id, tab }) => <pages.brand id={id} tab={tab} />}</Route>
  {/* Where a provider is a sandbox, Steward is being developed or tried: there the components can be seen. */}
  {sandboxed.value.length > 0 && <Route path='/components'><pages.components /></Route>}
  <Route path='/connect/:id'>{({ id }) => <pages.connect id={id} />}</Route>
  <Route path='/settings/:tab?/:of?'>{({ tab, of }) => <pages.settings tab={tab} of={of} />}</Route>
  {Object.keys(moved).map((from) => <Route key={from} path={from}><Moved from={from} /></Route>)}
  <Route><NoSuchPage /></Route>
</Switch>
