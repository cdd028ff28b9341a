import Contracts
import Database

extension Fulfilment: ValueConvertible {}
extension AccountToken: ValueConvertible {}
extension OrderV1.Origin: ValueConvertible {}
extension OrderV1.Issuer: ValueConvertible {}
extension StepLogEntry.Step: ValueConvertible {}
