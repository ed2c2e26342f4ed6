import puppeteer from 'puppeteer'

export default async () => typeof (await puppeteer.launch()).newPage
