import { sql } from 'kysely'
import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { until } from '../chat.js'
import { enablePolicies } from '../policies.js'
import { makePerson, makeStranger, makeToken, problemOf, signIn } from '../routes/account/actors.js'
import {
  confirmationOf, countProjects, decideAs, endOf, makeGroup, makePeople, proposeProject, requireApprovals, type Person
} from './voting.js'

const app = await buildApp(t, { LIMITS: '{"waiting_tool_calls_per_user":500,"requests_per_minute":100000}' })
const [ada, bea, cem, dan, eve] = await makePeople(app, ['Ada', 'Bea', 'Cem', 'Dan', 'Eve']) as
  [Person, Person, Person, Person, Person]
const operations = await makeGroup(app, 'Operations', [ada, bea, cem])
const leads = await makeGroup(app, 'Leads', [dan])
const twoOf = { approvals: 2, groups: [operations], exclude_requester: true }

const ask = async (name: string, requirement: Parameters<typeof requireApprovals>[2], by = ada) => {
  const call = await proposeProject(app, by.headers, name)
  await requireApprovals(app, call.confirmation.id, requirement)
  return call
}
const setStatus = (person: Person, status: string) =>
  app.inject({ method: 'PATCH', url: `/account/users/${person.id}`, headers: asAdmin, payload: { status } })

t.test('two people of a group approve, neither of them who asked, and it is done once', async (t) => {
  const call = await ask('Harbour', twoOf)
  const own = await decideAs(app, ada, call, true)
  t.match([own.statusCode, own.json()], [403, {
    code: 'needs_other_approver', groups: [operations], exclude_requester: true, approvals: 2
  }])
  const outside = await decideAs(app, eve, call, true)
  t.match([outside.statusCode, outside.json().code], [403, 'needs_other_approver'], 'nor of another group')
  const first = await decideAs(app, bea, call, true, { input_digest: call.confirmation.input_digest, reason: 'Fine' })
  t.match([first.statusCode, first.json()], [200, {
    status: 'pending',
    decided_at: null,
    already_decided: false,
    missing: 1,
    waits_for: '1 more of group Operations',
    votes: [{ person: { name: 'Bea' }, on_behalf_of: null, decision: 'approve', reason: 'Fine', counts: true }]
  }])
  t.match((await decideAs(app, bea, call, true)).json(), { status: 'pending', already_decided: true, missing: 1 })
  t.equal(await countProjects(app, 'Harbour'), 0)
  t.match(await confirmationOf(app, ada, call.confirmation.id), {
    status: 'pending', missing: 1, may_approve: false, approvers: { groups: [{ name: 'Operations' }], people: 2 }
  })
  const second = await decideAs(app, cem, call, true)
  t.match(second.json(), { status: 'approved', missing: 0, waits_for: null, tool_call: { status: 'approved' } })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
  t.equal(await countProjects(app, 'Harbour'), 1)
  t.match((await decideAs(app, dan, call, true)).json(), { status: 'approved', already_decided: true })
})

t.test('whoever decides it does not see the conversation, and others do not see the question', async (t) => {
  const call = await ask('Seen', twoOf)
  const seen = await confirmationOf(app, bea, call.confirmation.id)
  t.match(seen, { session_title: null, requested_by: { id: ada.id, name: 'Ada' }, may_approve: true, missing: 2 })
  const session = await app.inject({ url: `/api/v1/agent/sessions/${call.session_id}`, headers: bea.headers })
  t.equal(session.statusCode, 404)
  const viewer = await makePerson(app, 'Vic', 'viewer')
  const url = `/api/v1/agent/confirmations/${call.confirmation.id}`
  const missing = '/api/v1/agent/confirmations/01900000-0000-7000-8000-000000000000'
  const absent = await app.inject({ url: missing, headers: asAdmin })
  for (const headers of [viewer.headers, await makeStranger(app, 'Strangers')]) {
    for (const path of [url, `${url}/thread`]) {
      const answer = await app.inject({ url: path, headers })
      t.same([answer.statusCode, problemOf(answer)], [404, problemOf(absent)])
    }
  }
  const ordinary = await proposeProject(app, ada.headers, 'Ordinary')
  t.equal((await decideAs(app, bea, ordinary, true)).statusCode, 404, 'what its person decides alone is theirs')
  for (const asked of [call, ordinary]) t.equal((await decideAs(app, ada, asked, false)).statusCode, 200)
})

t.test('one rejection by a person who may decide it rejects it, whatever was approved before', async (t) => {
  const call = await ask('Never', twoOf)
  await decideAs(app, bea, call, true)
  t.equal((await decideAs(app, eve, call, false)).statusCode, 403, 'others do not')
  const rejected = await decideAs(app, cem, call, false, { reason: 'Too early' })
  t.match([rejected.statusCode, rejected.json()], [200, { status: 'rejected' }])
  t.match((await decideAs(app, bea, call, true)).json(), { code: 'confirmation_decided', decision: 'rejected' })
  t.match(await endOf(app, ada.headers, call), { status: 'rejected' })
  t.match(await confirmationOf(app, ada, call.confirmation.id), {
    status: 'rejected', reason: 'Too early', decided_by: { id: cem.id, name: 'Cem' }
  })
  t.equal(await countProjects(app, 'Never'), 0)
})

t.test('a person who is disabled, or left the group, counts no more', async (t) => {
  const [fay, gus] = await makePeople(app, ['Fay', 'Gus']) as [Person, Person]
  const group = await makeGroup(app, 'Changing', [fay, gus, bea])
  const call = await ask('Counted', { ...twoOf, groups: [group] })
  await decideAs(app, fay, call, true)
  await setStatus(fay, 'disabled')
  t.match((await decideAs(app, gus, call, true)).json(), { status: 'pending', missing: 1 })
  await app.db.deleteFrom('account_group_member').where('user_id', '=', gus.id).execute()
  t.match((await decideAs(app, bea, call, true)).json(), { status: 'pending', missing: 1 })
  t.match((await confirmationOf(app, ada, call.confirmation.id)).votes, [
    { person: { name: 'Fay' }, counts: false }, { person: { name: 'Gus' }, counts: false }, { counts: true }
  ])
  await setStatus(fay, 'active')
  t.match((await decideAs(app, bea, call, true)).json(), { status: 'approved', missing: 0 }, 'two count again')
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
})

t.test('what lost an approval between the last vote and the claim is asked again, and not done', async (t) => {
  const [hal] = await makePeople(app, ['Hal']) as [Person]
  const group = await makeGroup(app, 'Leaving', [hal, bea])
  const call = await ask('Again', { ...twoOf, groups: [group] })
  await decideAs(app, bea, call, true)
  // The vote that decides, and the end of another person's right, before any instance has claimed the run.
  await app.db.updateTable('agent_run').set({ status: 'running', lease_until: sql`now() + interval '3 seconds'` })
    .where('id', '=', call.run_id).execute()
  t.match((await decideAs(app, hal, call, true)).json(), { status: 'approved' })
  await setStatus(hal, 'disabled')
  const again = await until(async () => {
    const all = await app.inject({ url: '/api/v1/agent/confirmations?q=Again', headers: ada.headers })
    const [item] = all.json().items
    return item?.replaces === call.confirmation.id && item
  })
  t.match(again, { status: 'pending', missing: 2, votes: [], requirement: { approvals: 2, groups: [group] } })
  t.equal(await countProjects(app, 'Again'), 0)
  t.match(await confirmationOf(app, ada, call.confirmation.id), { status: 'closed' })
  t.equal((await decideAs(app, ada, { ...call, confirmation: again }, false)).statusCode, 200)
})

const planAs = async (by: Person, { confirmation }: { confirmation: { id: string } }, name: string) => {
  const url = `/api/v1/agent/confirmations/${confirmation.id}/plan`
  const answer = await app.inject({ method: 'POST', url, headers: by.headers, payload: { arguments: { name } } })
  return { arguments: { name }, input_digest: String(answer.json().input_digest), plan: answer.json() }
}

const editAs = async (by: Person, call: Awaited<ReturnType<typeof ask>>, name: string) => {
  const { plan: _, ...edit } = await planAs(by, call, name)
  return decideAs(app, by, call, true, edit)
}

t.test('an edit is a question of its own, in which earlier votes do not count', async (t) => {
  const call = await ask('Typo', { approvals: 2 })
  await decideAs(app, bea, call, true)
  const edited = await editAs(cem, call, 'Corrected')
  const votes = [{ person: { name: 'Cem' } }]
  t.match([edited.statusCode, edited.json()], [200, { status: 'pending', missing: 1, votes }])
  const id = edited.json().confirmation_id
  t.not(id, call.confirmation.id)
  t.match(await confirmationOf(app, bea, id), {
    replaces: call.confirmation.id,
    thread_id: call.confirmation.id,
    arguments: { name: 'Corrected' },
    proposed: { arguments: { name: 'Typo' } },
    edited_by: [{ name: 'Cem' }],
    missing: 1
  })
  t.match((await decideAs(app, bea, call, true)).json(), { code: 'confirmation_closed', reason: 'edited' })
  const asked = { ...call, confirmation: { ...call.confirmation, id } }
  t.match((await decideAs(app, bea, asked, true)).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded', arguments: { name: 'Corrected' } })
  t.same([await countProjects(app, 'Typo'), await countProjects(app, 'Corrected')], [0, 1])
  const thread = await app.inject({ url: `/api/v1/agent/confirmations/${id}/thread`, headers: bea.headers })
  t.match(thread.json(), { items: [{ id: call.confirmation.id, status: 'closed' }, { id, status: 'approved' }] })
})

t.test('where who asked may not approve, who edits may not either, nor who edited it before', async (t) => {
  const call = await ask('Three', { approvals: 1, exclude_requester: true })
  const edited = await editAs(bea, call, 'Fifty')
  t.match([edited.statusCode, edited.json()], [200, { status: 'pending', missing: 1, votes: [] }])
  const id = edited.json().confirmation_id
  const asked = { ...call, confirmation: { ...call.confirmation, id } }
  t.match(await confirmationOf(app, bea, id), { may_approve: false, edited_by: [{ name: 'Bea' }] })
  for (const author of [ada, bea]) {
    t.match((await decideAs(app, author, asked, true)).json(), { code: 'needs_other_approver' })
  }
  t.equal(await countProjects(app, 'Fifty'), 0)
  const next = await editAs(cem, asked, 'Sixty')
  t.match(next.json(), { status: 'pending', votes: [] })
  const last = { ...asked, confirmation: { ...call.confirmation, id: next.json().confirmation_id } }
  t.match((await confirmationOf(app, dan, last.confirmation.id)).edited_by, [{ name: 'Bea' }, { name: 'Cem' }])
  for (const author of [ada, bea, cem]) t.equal((await decideAs(app, author, last, true)).statusCode, 403)
  t.match((await decideAs(app, dan, last, true)).json(), { status: 'approved', missing: 0 })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded', arguments: { name: 'Sixty' } })
})

t.test('a draft says who wrote it, and who approves the draft of another is no author of it', async (t) => {
  const call = await ask('Draft', { approvals: 1, exclude_requester: true })
  const { plan, ...draft } = await planAs(bea, call, 'Drafted')
  t.match(plan.written_by, { id: bea.id, name: 'Bea' })
  t.match((await decideAs(app, cem, call, true, draft)).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded', arguments: { name: 'Drafted' } })
})

t.test('an edit that too few may approve is refused, and leaves the question and its rules as they were', async (t) => {
  await enablePolicies(app, `@outcome("approve") @exclude_requester("true")
    permit (principal, action == Action::"createProject", resource)
    when { context.args has name && context.args.name == "Guarded" };
    @reason("Never this name") forbid (principal, action == Action::"createProject", resource)
    when { context.args has name && context.args.name == "Forbidden" };`)
  const call = await proposeProject(app, ada.headers, 'Plain')
  const before = await confirmationOf(app, ada, call.confirmation.id)
  const refused = await editAs(ada, call, 'Guarded')
  t.match([refused.statusCode, refused.json()], [403, { code: 'needs_other_approver', exclude_requester: true }])
  t.same(await confirmationOf(app, ada, call.confirmation.id), before)
  const forbidden = await editAs(ada, call, 'Forbidden')
  t.match([forbidden.statusCode, forbidden.json()], [403, { code: 'forbidden_by_policy', detail: /Never this name/ }])
  t.same(await confirmationOf(app, ada, call.confirmation.id), before)
  t.match((await decideAs(app, ada, call, true)).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded', arguments: { name: 'Plain' } })
  t.same([await countProjects(app, 'Guarded'), await countProjects(app, 'Forbidden')], [0, 0])
})

t.test('where policies name groups with nobody in common, each of them has to approve', async (t) => {
  const demand = (groups: string[], approvals = 1) => ({ approvals, groups, escalate_to: [] })
  const both = {
    approvals: 1, groups: [operations, leads], each: [demand([operations]), demand([leads])], exclude_requester: true
  }
  const call = await ask('Both', both)
  t.match((await decideAs(app, bea, call, true)).json(), {
    status: 'pending', missing: 1, waits_for: '1 more of group Leads'
  })
  t.match((await decideAs(app, cem, call, true)).json(), {
    status: 'pending', missing: 1, waits_for: '1 more of group Leads'
  }, 'another of the first group takes nothing off')
  t.equal(await countProjects(app, 'Both'), 0)
  t.match((await decideAs(app, dan, call, true)).json(), { status: 'approved', missing: 0, waits_for: null })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })

  const [gil] = await makePeople(app, ['Gil']) as [Person]
  const [first, second] = [await makeGroup(app, 'First', [gil, bea]), await makeGroup(app, 'Second', [gil])]
  const one = await ask('One of both', {
    ...both, groups: [first, second], each: [demand([first]), demand([second])]
  })
  t.match(await confirmationOf(app, ada, one.confirmation.id),
    { missing: 2, waits_for: '1 more of group First and 1 more of group Second' })
  t.match((await decideAs(app, gil, one, true)).json(), { status: 'approved' }, 'who is of both counts for both')
})

t.test('after a time, by the database\'s clock, the next group counts, too', async (t) => {
  const escalate = { after_s: 60, groups: [leads] }
  const call = await ask('Escalated', { approvals: 1, groups: [operations], escalate })
  t.equal((await decideAs(app, dan, call, true)).statusCode, 403)
  t.match(await confirmationOf(app, dan, call.confirmation.id), {
    escalated: false, escalates_at: /Z$/, may_approve: false, waits_for: '1 more of group Operations'
  })
  await app.db.updateTable('agent_confirmation').set({ requested_at: sql`requested_at - interval '61 seconds'` })
    .where('id', '=', call.confirmation.id).execute()
  t.match(await confirmationOf(app, dan, call.confirmation.id), {
    escalated: true,
    may_approve: true,
    waits_for: '1 more of group Operations or Leads',
    approvers: { groups: [{ name: 'Operations' }, { name: 'Leads' }], people: 4 }
  })
  t.match((await decideAs(app, dan, call, true)).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
})

t.test('a token decides as its person, and an assistant\'s never', async (t) => {
  const call = await ask('By token', { approvals: 1, exclude_requester: true })
  const scopes = ['approvals:write', 'account:read', 'account:write', 'agent:read']
  const weak = await makeToken(app, bea.headers, ['approvals:write'])
  t.match((await decideAs(app, weak, call, true)).json(), { code: 'insufficient_scope', scope: 'account:write' })
  const agent = await makeToken(app, bea.headers, ['agent:read', 'agent:write'], { assistant: true })
  t.equal((await decideAs(app, agent, call, true)).statusCode, 403)
  const token = await makeToken(app, bea.headers, scopes)
  t.match((await decideAs(app, token, call, true)).json(), { status: 'approved', votes: [{ via: 'token' }] })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
})

t.test('who came in by the link of a colleague does not count beside that colleague, nor for them', async (t) => {
  const admin = await makePerson(app, 'Ines', 'admin')
  const payload = { name: 'Puppet', role: 'member' }
  const made = await app.inject({ method: 'POST', url: '/account/users', headers: admin.headers, payload })
  const { user, link } = made.json()
  const { headers } = await signIn(app, link.url)
  const puppet = { id: user.id as string, headers }
  const both = await ask('By two', { approvals: 2, groups: [], exclude_requester: true })
  t.match((await decideAs(app, puppet, both, true)).json(), { status: 'pending', missing: 1 }, 'alone it is a vote')
  t.match((await decideAs(app, admin, both, true)).json(), {
    status: 'pending', missing: 1, votes: [{ person: { name: 'Puppet' }, counts: false }, { counts: true }]
  })
  t.equal(await countProjects(app, 'By two'), 0)
  t.match((await decideAs(app, bea, both, true)).json(), { status: 'approved', missing: 0 })
  const own = await ask('By myself', { approvals: 1, groups: [], exclude_requester: true }, admin)
  t.match((await decideAs(app, puppet, own, true)).json(), { status: 'pending', missing: 1 })
  const { headers: token } = await makeToken(app, headers, ['approvals:write', 'agent:read', 'account:write'])
  const other = await ask('By a token', { approvals: 1, groups: [], exclude_requester: true }, admin)
  t.match((await decideAs(app, { headers: token }, other, true)).json(), { status: 'pending', missing: 1 },
    'nor by a token that the session made')
  t.match((await decideAs(app, bea, own, true)).json(), { status: 'approved', missing: 0 })
})

// The last: its policies hold for every project from here on.
t.test('two policies with groups of their own are both asked for', async (t) => {
  await enablePolicies(app, [['ops', 'Operations'], ['leads', 'Leads']].map(([id, group]) =>
    `@id("${id}") @outcome("approve") @from("${group}") permit (principal, action == Action::"createProject", resource);`)
    .join('\n'))
  const call = await proposeProject(app, ada.headers, 'Both policies')
  const ids = (group: string) => ({ approvals: 1, groups: [group], escalate_to: [] })
  t.match((await confirmationOf(app, ada, call.confirmation.id)).requirement,
    { approvals: 1, groups: [operations, leads], each: [ids(operations), ids(leads)], policies: ['ops', 'leads'] })
  t.match((await decideAs(app, bea, call, true)).json(), { status: 'pending', waits_for: '1 more of group Leads' })
  t.equal(await countProjects(app, 'Both policies'), 0)
  t.match((await decideAs(app, dan, call, true)).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
})
