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
    var content: Content
}

/// What will happen in the simulated group.
enum SimulatedJob {
    case arrive(SimulatedPacket)
    /// The owner of this generation runs a batch.
    case work(partition: Int, generation: Int)
    case timer(link: Int, generation: Int, serial: Int)
    case retry(partition: Int, generation: Int)
    case takeover(partition: Int)
    /// The outside asks for something.
    case order
    case fault
    /// The operator looks at a link.
    case operate(link: Int)
    case proceed(host: Int)
    case feed(partition: Int)
}
