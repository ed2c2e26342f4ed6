import createDOMPurify from 'dompurify'

export default () => createDOMPurify().sanitize('<p onclick="x()">a<script>b()</script></p>')
