@testable import Delivery

/// A frame or a request on its way.
struct SimulatedPacket {
    enum Content {
        case toReceiver(LinkFrame, [SimulatedRow])
        case toSender(LinkFrame)
        case request(SimulatedMessage)
    }

    var link: Int
    /// The process that holds the sender's end of the connection, and which life of it.
    var host = 0
    var life = 0
    /// The owner of the receiving partition when the frame left.
    var generation = 0
    var connection: [UInt8] = []
    /// The partition at the sender's stale address; nil: its address is right.
    var strayTo: Int?
    var content: Content
}

/// Something that will happen in the simulated group.
struct SimulatedAction {
    typealias Perform = (Simulation) throws(SimulatedCrash) -> Void

    let perform: Perform
}
