import Database
import OrdersCore

extension Fulfilment: ValueConvertible {}
extension AccountToken: ValueConvertible {}
