undefinedName.call()
