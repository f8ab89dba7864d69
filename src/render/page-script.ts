// The one script of the receipt page: it shows the buttons that a browser cannot do without it. The
// page is complete without it.
import { sha256 } from '../lib/hash.js'

/** Always the same text, so that the policy of the page can name its hash and allow no other. */
export const SCRIPT = [
  '(()=>{',
  'const d=document,n=navigator,l=location.href.split("#")[0],',
  'g=i=>d.getElementById(i),s=g("said"),',
  'on=(i,f)=>{const b=g(i);if(b){b.hidden=false;b.addEventListener("click",f)}};',
  'on("print",()=>print());',
  'if(n.clipboard)on("copy-link",()=>n.clipboard.writeText(l)',
  '.then(()=>{s.textContent=s.dataset.copied},()=>prompt("",l)));',
  'if(n.share)on("share",()=>n.share({title:d.title,url:l}).catch(()=>0))',
  '})()',
].join('')

export const SCRIPT_HASH = sha256(SCRIPT).toString('base64')
