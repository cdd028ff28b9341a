/// A `counterfoil` that asks `up` something.
final class SupervisorConnection {
    let descriptor: Descriptor
    var received: [UInt8] = []
    /// What is under way for it; nil until it has asked.
    var request: SupervisorRequest?

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }
}
