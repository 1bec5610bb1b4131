import { Compass } from 'lucide-preact'
import { Link, Route, Switch } from 'wouter-preact'
import { Empty } from '../parts/states'
import { pages } from './pages'

const NoSuchPage = () => <div class='page'>
  <Empty icon={Compass} title='There is no such page'><p><Link href='/'>To the chat</Link></p></Empty>
</div>

export const Routes = () => <Switch>
  <Route path='/chat/:id'>{({ id }) => <pages.chat id={id} />}</Route>
  <Route path='/'><pages.chat /></Route>
  <Route path='/inbox'><pages.inbox /></Route>
  <Route><NoSuchPage /></Route>
</Switch>
