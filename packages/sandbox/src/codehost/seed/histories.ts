import type { SANDBOX_USERS } from '../constants.js'
import type { FileChanges } from '../core/change.js'

/** Author, message and changes. */
export type Step = [keyof typeof SANDBOX_USERS, string, FileChanges]

const web: Step[] = [
  ['octavia', 'Initial commit', { 'README.md': '# web\n\nThe shop front of Larkspur.\n', '.gitignore': 'dist\n' }],
  ['octavia', 'Add the build\n\nEsbuild, one bundle.', { 'package.json': '{\n  "name": "web"\n}\n' }],
  ['bruno', 'Add the start page', { 'src/index.ts': 'export const start = () => "hello"\n' }],
  ['bruno', 'Add the cart', { 'src/cart.ts': 'export const cart = []\n' }],
  ['octavia', 'Serve over HTTP/2', { 'src/server.ts': 'export const port = 8080\n' }],
  ['bruno', 'Fix the total of an empty cart', { 'src/cart.ts': 'export const cart = []\nexport const total = 0\n' }],
  ['octavia', 'Add a Dockerfile', { Dockerfile: 'FROM node:22-slim\nCOPY . /app\nCMD ["node", "/app/dist"]\n' }],
  ['bruno', 'Show prices with their currency', { 'src/price.ts': 'export const price = (n) => n + " EUR"\n' }],
  ['octavia', 'Round prices half up\n\nThe books want it so.', { 'src/price.ts': 'export const price = Math.round\n' }],
  ['bruno', 'Add the search page', { 'src/search.ts': 'export const search = (q) => [q]\n' }],
  ['octavia', 'Cut the start-up time by half',
    { 'src/server.ts': 'export const port = 8080\nexport const lazy = true\n' }],
  ['bruno', 'Fix the checkout on Safari', { 'src/checkout.ts': 'export const checkout = () => true\n' }],
  ['octavia', 'Log requests as JSON', { 'src/log.ts': 'export const log = JSON.stringify\n' }],
  ['bruno', 'Retry a payment once',
    { 'src/checkout.ts': 'export const checkout = () => true\nexport const tries = 2\n' }],
  ['octavia', 'Bump esbuild', { 'package.json': '{\n  "name": "web",\n  "version": "1.4.0"\n}\n' }],
  ['bruno', 'Add a health check', { 'src/health.ts': 'export const health = () => 200\n' }],
  ['octavia', 'Document the deployment', { 'docs/deploy.md': '# Deploy\n\nPush to main.\n' }],
  ['bruno', 'Fix a leak in the image cache\n\nIt kept every image for ever.',
    { 'src/images.ts': 'export const keep = 100\n' }],
  ['octavia', 'Send cache headers', { 'src/server.ts': 'export const port = 8080\nexport const maxAge = 300\n' }],
  ['bruno', 'Show the delivery date', { 'src/delivery.ts': 'export const days = 3\n' }],
  ['octavia', 'Drop support for Internet Explorer', { 'src/polyfills.ts': null, 'src/index.ts': 'export {}\n' }],
  ['bruno', 'Fix the delivery date over New Year', { 'src/delivery.ts': 'export const days = 4\n' }],
  ['octavia', 'Release 1.5.0', { 'package.json': '{\n  "name": "web",\n  "version": "1.5.0"\n}\n' }],
  ['bruno', 'Fix memory use of the search page\n\nIndex once, at the start.',
    { 'src/search.ts': 'const index = []\nexport const search = (q) => index\n' }]
]

const api: Step[] = [
  ['octavia', 'Initial commit', { 'README.md': '# api\n', 'go.mod': 'module larkspur.example/api\n' }],
  ['octavia', 'Add the orders service', { 'orders/orders.go': 'package orders\n' }],
  ['bruno', 'Add the payments service', { 'payments/payments.go': 'package payments\n' }],
  ['bruno', 'Store orders in PostgreSQL', { 'orders/store.go': 'package orders\n' }],
  ['octavia', 'Add a time limit to every query', { 'orders/store.go': 'package orders\n\nconst limit = 5\n' }],
  ['bruno', 'Fix double charging\n\nThe key of a payment is its order.',
    { 'payments/charge.go': 'package payments\n' }],
  ['octavia', 'Add metrics', { 'metrics/metrics.go': 'package metrics\n' }],
  ['bruno', 'Shut down gracefully', { 'main.go': 'package main\n\nfunc main() {}\n' }],
  ['octavia', 'Build a static binary', { Dockerfile: 'FROM scratch\nCOPY api /api\n' }],
  ['bruno', 'Answer refunds', { 'payments/refund.go': 'package payments\n' }]
]

const infra: Step[] = [
  ['octavia', 'Initial commit', { 'README.md': '# infra\n' }],
  ['octavia', 'Add the production cluster', { 'ecs.tf': 'resource "aws_ecs_cluster" "prod" {}\n' }],
  ['octavia', 'Add the orders function', { 'lambda.tf': 'resource "aws_lambda_function" "orders" {}\n' }],
  ['octavia', 'Limit who may assume the deploy role', { 'iam.tf': 'resource "aws_iam_role" "deploy" {}\n' }]
]

const secret: Step[] = [
  ['mallory', 'Initial commit', { 'README.md': '# Nobody may know\n' }],
  ['mallory', 'Write it down', { 'plan.md': 'The plan.\n' }]
]

export const histories = { web, api, infra, secret }
