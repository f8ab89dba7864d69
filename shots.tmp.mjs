import { chromium } from 'playwright-core'
const [,, email, password] = process.argv
const b = await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox']})
const faults=[]
async function shots(width, scheme, locale, paths, query=''){
  const ctx = await b.newContext({viewport:{width,height:width<500?780:900},colorScheme:scheme,locale})
  const p = await ctx.newPage()
  p.on('console',m=>{if(['error','warning'].includes(m.type()))faults.push(`${m.text()}`)}); p.on('pageerror',e=>faults.push('PE '+e.message)); p.on('response',r=>{if(r.status()>=400&&!r.url().endsWith('/session'))faults.push(r.status()+' '+r.url())})
  await p.goto('http://localhost:8765/portal/'+query)
  await p.waitForSelector('input[type=email]')
  if(width===1280&&scheme==='light'&&locale==='en')await p.screenshot({path:'/tmp/s-login.png'})
  await p.fill('input[type=email]',email); await p.fill('input[type=password]',password); await p.click('button[type=submit]')
  await p.waitForSelector('.top')
  for(const [name,path] of paths){ await p.goto('http://localhost:8765/portal'+path+query); await p.waitForTimeout(900); await p.screenshot({path:`/tmp/s-${name}-${width}-${scheme}-${locale}.png`,fullPage:true}) }
  return {p,ctx}
}
const demo = (await import('node:fs')).readFileSync('/tmp/demo.txt','utf8')
const all=[['problems','/'],['operators','/operators'],['queues','/queues'],['invitations','/invitations'],['events','/events'],['company','/company'],['me','/me'],['operations','/operations'],['onboard','/onboard'],['outages','/outages'],['run','/run/createOutlet']]
const {p}=await shots(1280,'light','en',all)
await p.goto('http://localhost:8765/portal/operators'); await p.click('td a'); await p.waitForTimeout(900); await p.screenshot({path:'/tmp/s-operator-1280.png',fullPage:true})
await p.click('section:last-of-type a'); await p.waitForTimeout(900); await p.screenshot({path:'/tmp/s-cashbox-1280.png',fullPage:true})
await p.keyboard.press('c'); await p.waitForTimeout(900); await p.screenshot({path:'/tmp/s-drawer-1280.png'})
await p.keyboard.press('Escape'); await p.keyboard.press('/'); await p.waitForTimeout(500); await p.keyboard.type('de'); await p.waitForTimeout(900); await p.screenshot({path:'/tmp/s-palette-1280.png'})
await shots(360,'dark','de-AT',all.slice(0,6))
console.log([...new Set(faults)].join('\n'))
await b.close()
