import Database

extension Fulfilment: ValueConvertible {}
extension AccountToken: ValueConvertible {}
