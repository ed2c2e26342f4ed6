document.createElement('a')
