// The one script of the receipt page: it shows the buttons that a browser cannot do without it, and
// shares as the device does. The page is complete without it.
import { sha256 } from '../lib/hash.js'

/** Always the same text, so that the policy of the page can name its hash and allow no other. */
export const SCRIPT = [
  '(()=>{',
  'const d=document,n=navigator,l=location.href.split("#")[0],',
  'on=(b,f)=>{if(b){b.hidden=false;b.addEventListener("click",f)}},',
  'g=i=>d.getElementById(i),',
  'c=()=>n.clipboard.writeText(l).then(()=>{',
  'for(const s of d.querySelectorAll(".said"))s.textContent=s.dataset.copied},',
  '()=>prompt("",l));',
  'on(g("print"),()=>print());',
  'if(n.clipboard)on(g("copy-link"),c);',
  'if(n.share||n.clipboard)on(d.querySelector(".share"),e=>{e.preventDefault();',
  'if(n.share)n.share({title:d.title,url:l}).catch(()=>0);else c()})',
  '})()',
].join('')

export const SCRIPT_HASH = sha256(SCRIPT).toString('base64')
