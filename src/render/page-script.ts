// The one script of the receipt page: it shows the buttons that a browser cannot do without it,
// shares as the device does, and keeps the list of receipts that a reader wants to find again on
// the device. The page is complete without it.
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
  'if(n.share)n.share({title:d.title,url:l}).catch(()=>0);else c()});',
  // what others have put under the same name is no list of ours
  'const m=g("mine");if(m)try{',
  'const s=localStorage,{shop,path,name,told}=m.dataset,k="receipts:"+shop,',
  'u=m.querySelector("ul"),K=m.querySelector(".keep"),F=m.querySelector(".forget"),',
  'r=()=>{try{const a=JSON.parse(s.getItem(k));return Array.isArray(a)?a.filter(o=>o&&',
  '/^\\/[\\w.~-][\\w\\/.~-]*$/.test(o.path)):[]}catch{return[]}},',
  'v=()=>{const a=r();u.textContent="";for(const o of a){',
  'const i=d.createElement("li"),h=d.createElement("a"),t=d.createElement("span");',
  'h.href=o.path;h.textContent=o.name;t.textContent=o.told;i.append(h,t);u.append(i)}',
  'K.hidden=a.some(o=>o.path===path);F.hidden=!a.length};',
  'K.addEventListener("click",()=>{',
  's.setItem(k,JSON.stringify([{path,name,told},...r().filter(o=>o.path!==path)].slice(0,200)));',
  'v()});',
  'F.addEventListener("click",()=>{s.removeItem(k);v()});v();m.hidden=false}catch{}',
  '})()',
].join('')

export const SCRIPT_HASH = sha256(SCRIPT).toString('base64')
