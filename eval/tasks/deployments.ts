import { itemsOf, itemWith } from '../lib/look.js'
import { makeApp } from '../lib/seeds.js'
import { mentions, type Task } from '../task.js'

const area = 'deployments'
const apps = '/deployments/apps'

export const deployments: Task[] = [
  {
    id: 'create-app',
    area,
    says: ['Set up an application called Storefront: repository larkspur/web, branch main, deployed to the service ' +
      'web in prod, container web. Do not build it yet.'],
    approves: [{ tool: 'createApp', with: { name: 'Storefront', source: { repo: 'larkspur/web' } } }],
    leaves: ['+deployment_app'],
    check: async (world) => {
      const { source, target } = await itemWith(world, apps, 'name', 'Storefront')
      return [
        ['it builds larkspur/web', Object(source).repo === 'larkspur/web'],
        ['it deploys to web in prod', String(Object(target).service_id).endsWith('~prod~web')]
      ]
    }
  },
  {
    id: 'deploy-main',
    area,
    setup: async (world) => ({ app: await makeApp(world, 'Shopfront') }),
    says: ['Deploy Shopfront from main.'],
    approves: [{ tool: 'deployApp', target: '{app}' }],
    leaves: ['+deployment_build', 'aws ecs:RegisterTaskDefinition web?', 'aws ecs:UpdateService prod/web?',
      '+service_deployment?', '~deployment_app?'],
    check: async (world, _reply, { app }) =>
      [['one build was started', (await itemsOf(world, `${apps}/${app}/builds`)).length === 1]]
  },
  {
    id: 'turn-on-auto-deploy',
    area,
    setup: async (world) => ({ app: await makeApp(world, 'Catalogue', 'search') }),
    says: ['From now on every push to main of Catalogue shall be deployed by itself.'],
    approves: [{ tool: 'updateApp', target: '{app}', with: { auto_deploy: { enabled: true } } }],
    leaves: ['~deployment_app'],
    check: async ({ get }, _reply, { app }) => {
      const { auto_deploy: auto } = await get(`${apps}/${app}`)
      return [['pushes to main are deployed', Object(auto).enabled === true && Object(auto).branch === 'main']]
    }
  },
  {
    id: 'delete-app',
    area,
    setup: async (world) => ({
      app: await makeApp(world, 'Old landing page'), other: await makeApp(world, 'Landing page')
    }),
    says: ['We do not need the application "Old landing page" any more. Delete it; the service itself stays.'],
    approves: [{ tool: 'deleteApp', target: '{app}' }],
    leaves: ['~deployment_app'],
    check: async (world, _reply, { app }) => [
      ['it is gone', !(await itemsOf(world, apps)).some(({ id }) => id === app)]
    ]
  },
  {
    id: 'rename-app-polish',
    area,
    setup: async (world) => ({ app: await makeApp(world, 'Kiosk') }),
    says: ['Zmień nazwę aplikacji Kiosk na Kiosk Warszawa.'],
    approves: [{ tool: 'updateApp', target: '{app}', with: { name: 'Kiosk Warszawa' } }],
    leaves: ['~deployment_app'],
    check: async ({ get }, _reply, { app }) => [
      ['it has the new name', (await get(`${apps}/${app}`)).name === 'Kiosk Warszawa']
    ]
  },
  {
    id: 'where-app-deploys',
    area,
    setup: async (world) => ({ app: await makeApp(world, 'Billing', 'api') }),
    says: ['To which service and cluster does the application Billing deploy?'],
    check: (_world, reply) => mentions(reply, 'api', 'prod')
  }
]
