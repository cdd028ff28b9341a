import NIOCore
import Program

/// Closes the connections of an address that has too many of them.
///
/// An address of IPv6 is counted by its first 64 bits, because whoever has one has all of these.
final class PeerCounting: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let maximum: Int
    private let exempt: [AddressRange]
    private let refused: Tally
    private var counts: [[UInt8]: Int] = [:]

    /// Counts for every address but those that are exempt.
    init(maximum: Int, exempt: [AddressRange], refused: Tally) {
        self.maximum = maximum
        self.exempt = exempt
        self.refused = refused
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = Self.unwrapInboundIn(data)
        guard let peer = channel.remoteAddress?.ipAddress.flatMap({ AddressRange.bytes(ofAddress: $0) }),
            !exempt.contains(where: { $0.contains(peer) })
        else {
            context.fireChannelRead(data)
            return
        }
        let key = Array(peer.prefix(Self.countedBytes))
        guard counts[key, default: 0] < maximum else {
            refused.add()
            channel.close(promise: nil)
            return
        }
        counts[key, default: 0] += 1
        channel.closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { [self] _ in
            let left = counts[key, default: 1] - 1
            counts[key] = left > 0 ? left : nil
        }
        context.fireChannelRead(data)
    }

    private static let countedBytes = 8
}
