import { AccountMarks } from '../../parts/account-marks'
import { Badge, StateBadge } from '../../parts/badge'
import { Value } from '../../parts/cells'
import { Crumbs } from '../../parts/crumbs'
import { External } from '../../parts/external'
import { Boxes, Inbox, Settings } from '../../parts/icons'
import { ArrowDown, Code } from '../../parts/result-icons'
import { Pieces } from '../../parts/pieces'
import { Tabs } from '../../parts/tabs'
import { Time, TimeLeft } from '../../parts/time'
import { Part } from './part'

const later = new Date(Date.now() + 86_400_000).toISOString()
const earlier = new Date(Date.now() - 7_200_000).toISOString()

/** What stands in a line of text. */
export const Words = () => <>
  <Part name='badge'>
    <div class='row'>
      {(['plain', 'good', 'warn', 'bad', 'info'] as const).map((tone) => <Badge key={tone} tone={tone}>{tone}</Badge>)}
      {['running', 'failed', null].map((state) => <StateBadge key={state} state={state} />)}
    </div>
  </Part>
  <Part name='account-marks'><p><AccountMarks of={{ environment: 'production', read_only: true }} /></p></Part>
  <Part name='time'><p class='row'><Time at={earlier} /><TimeLeft until={later} /><Time at={null} /></p></Part>
  <Part name='cells'>
    <p class='row'>
      <Value name='cost' value={{ amount: '12.50', currency: 'USD' }} /><Value name='created_at' value={earlier} />
      <Value name='enabled' value={false} /><Value name='status' value='succeeded' />
    </p>
  </Part>
  <Part name='icon'>
    <p class='row'>{[Inbox, Boxes, Settings].map((Icon, index) => <Icon key={index} aria-hidden='true' />)}</p>
  </Part>
  <Part name='result-icons'>
    <p class='row'>{[ArrowDown, Code].map((Icon, index) => <Icon key={index} aria-hidden='true' />)}</p>
  </Part>
  <Part name='pieces'>
    <p><Pieces pieces={[{ text: 'web:', changed: false }, { text: '1.5.0', changed: true }]} /></p>
  </Part>
  <Part name='external'>
    <p class='row'><External href='https://example.com/'>A page elsewhere</External><External href={null}>No page</External></p>
  </Part>
  <Part name='crumbs'><Crumbs to={[['Apps', '/apps'], ['web', '/apps']]} /></Part>
  <Part name='tabs'>
    <Tabs
      label='Tabs' current='/components' tabs={[['Shown', '/components'], ['Another', '/inbox'], ['A third', '/costs']]}
    />
  </Part>
</>
