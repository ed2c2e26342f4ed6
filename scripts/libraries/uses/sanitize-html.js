import sanitizeHtml from 'sanitize-html'

export default () =>
  sanitizeHtml('<p onclick="x()">a<script>b()</script><b style="color: red">c</b></p>', {
    allowedTags: ['p', 'b'],
    allowedAttributes: { b: ['style'] },
    allowedStyles: { b: { color: [/^red$/] } },
  })
